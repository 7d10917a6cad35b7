"""The campaign in words: sentences made from the numbers, so that they cannot disagree with them.

Sentences are `Markup`; names go in through `format`, which escapes them.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from pipeline.report.board import Board, Row
from pipeline.report.provenance import Provenance
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import counted, ordinal, signed
from pipeline.statistics.correlation.statistics.pairs import tau_b


@section("summary", place=10, template="summary.html.j2")
def summary(results: Results) -> Content:
    """What was evaluated and found, from which files, under which policies, and what was odd."""
    text = sentences(results.board, provenance=results.provenance)
    return Content({"sentences": text, "checks": results.checks})


def sentences(board: Board, *, provenance: Provenance) -> list[Markup]:
    """What was evaluated, who leads, how far the two contrasted measures agree."""
    found = [_size(board, provenance), *_partial(provenance)]
    if len(board.rows) > 1 and len(set(board.contrast)) == 1:
        found += [_leader(board)]
    elif len(board.rows) > 1:
        found += [_leaders(board), _movers(board), _swaps(board)]
    found.append(_uncertainty(board))
    found += [Markup("{}").format(remark) for remark in provenance.remarks]
    return [sentence for sentence in found if sentence]


def _size(board: Board, provenance: Provenance) -> Markup:
    text = _runs(board)
    if board.topics:
        text += f" on {counted(len(board.topics), 'topic')}"
    text += f", scored by {counted(len(board.measures), 'measure')}"
    sentence = Markup("{}").format(text)
    judged, dimensions = provenance.judged, list(provenance.dimensions)
    if judged is not None:
        sentence += Markup(" against {}").format(counted(judged, "judged document"))
    if dimensions:
        sentence += Markup(" in {} of relevance ({})").format(
            counted(len(dimensions), "dimension"), _and([Markup.escape(d) for d in dimensions])
        )
    return sentence + "."


def _runs(board: Board) -> str:
    """How many runs of whom: of teams, of nobody, and those that were made here."""
    submitted = [row for row in board.rows if not row.baseline]
    teams = [team for team in board.teams if team]
    text = counted(len(submitted), "run")
    if teams:
        text += f" of {counted(len(teams), 'team')}"
        without = sum(not row.team for row in submitted)
        text += f" ({without:,} without a team)" if without else ""
    made = len(board.rows) - len(submitted)
    return text + (f" and {counted(made, 'baseline')}" if made else "")


def _partial(provenance: Provenance) -> Iterator[Markup]:
    """What the sources lack: figures from a part of the runs are not those of the campaign."""
    for name, given in provenance.sources.items():
        lacking = given.get("missing") if isinstance(given, Mapping) else None
        if not lacking or isinstance(lacking, str):  # a policy of that name is not what is meant
            continue
        parts = [
            Markup("{} of {} files {} are at hand").format(part[2], part[3], part[1])
            if (part := re.fullmatch(r"(.*) \((\d+) of (\d+)\)", one))
            else Markup("{} is not at hand").format(one)
            for one in lacking
        ]
        yield Markup("<strong>Only a part of {} is here:</strong> {}.").format(
            name, Markup("; ").join(parts)
        )


def _leader(board: Board) -> Markup:
    """Who leads a campaign of one measure."""
    head = [row for row in board.rows if row.ranks[0] == 1]
    verb = "leads" if len(head) == 1 else "share the lead"
    return Markup("{} {} by {} ({:.4f}).").format(
        _and([_strong(row.run) for row in head]),
        verb,
        board.contrast[0],
        board.cell(head[0], 0).value,
    )


def _leaders(board: Board) -> Markup:
    first, second = board.contrast
    heads = [[row for row in board.rows if row.ranks[which] == 1] for which in (0, 1)]
    names = [_and([_strong(row.run) for row in head]) for head in heads]
    if {row.run for row in heads[0]} == {row.run for row in heads[1]}:
        verb = "leads" if len(heads[0]) == 1 else "share the lead"
        return Markup("{} {} under both {} and {}.").format(names[0], verb, first, second)
    best = [board.cell(head[0], which).value for which, head in enumerate(heads)]
    other = Markup("{} {} ({:.4f})").format(names[1], _lead(heads[1]), best[1])
    if len(heads[0]) > 1:
        return Markup("{} share the lead by {} ({:.4f}); under {} {}.").format(
            names[0], first, best[0], second, other
        )
    rank = heads[0][0].ranks[1]
    if rank == 1:
        return Markup("{} leads by {} ({:.4f}) and shares the lead under {}: {}.").format(
            names[0], first, best[0], second, other
        )
    return Markup("{} leads by {} ({:.4f}) but falls to {} under {}, where {}.").format(
        names[0], first, best[0], _strong(ordinal(rank)), second, other
    )


def _movers(board: Board) -> Markup:
    up = max(board.rows, key=lambda row: row.climb)
    down = min(board.rows, key=lambda row: row.climb)
    parts = [
        Markup("the largest {} is {}, from {} to {}").format(
            word, _strong(row.run), ordinal(row.ranks[0]), ordinal(row.ranks[1])
        )
        for word, row in (("climb", up), ("fall", down))
        if (row.climb > 0 if word == "climb" else row.climb < 0)
    ]
    if not parts:
        return Markup("No run changes its rank between the two.")
    text = Markup("; ").join(parts) + "."
    return Markup(text[:1].upper() + text[1:])


def _swaps(board: Board) -> Markup:
    points = [(board.cell(row, 0).value, board.cell(row, 1).value) for row in board.rows]
    pairs = [(a, b) for i, a in enumerate(points) for b in points[:i]]
    swapped = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in pairs)
    tau = tau_b([x for x, _ in points], [y for _, y in points])
    known = f" (Kendall tau-b {signed(tau)})" if not math.isnan(tau) else ""
    return Markup("The two measures order {} of {} differently{}.").format(
        f"{swapped:,}", counted(len(pairs), "pair of runs", "pairs of runs"), known
    )


def _uncertainty(board: Board) -> Markup:
    cells = [board.cell(row, 0) for row in board.rows]
    width = max(
        (c.upper - c.lower for c in cells if c.upper is not None and c.lower is not None),
        default=0.0,
    )
    if width < 0.00005:
        return Markup("")
    return Markup(
        "Documents nobody judged leave the mean {} of a run open by up to {:.4f}."
    ).format(board.contrast[0], width)


def _lead(head: Sequence[Row]) -> str:
    return "leads" if len(head) == 1 else "share the lead"


def _strong(text: str) -> Markup:
    return Markup("<strong><bdi>{}</bdi></strong>").format(text)


def _and(names: Sequence[Markup]) -> Markup:
    if len(names) > 4:
        names = [*names[:3], Markup("{} others").format(len(names) - 3)]
    if len(names) < 2:
        return Markup("").join(names)
    return Markup(", ").join(names[:-1]) + " and " + names[-1]
