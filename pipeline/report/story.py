"""The campaign in words: sentences made from the numbers, so that they cannot disagree with them.

Sentences are `Markup`; names go in through `format`, which escapes them.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pipeline.report.data import Board, Row
from pipeline.statistics.correlation.statistics.pairs import tau_b


def summary(*, board: Board, facts: Mapping[str, Any]) -> list[Markup]:
    """What was evaluated, who leads, how far the two contrasted measures agree."""
    if len(board.rows) < 2:
        sentences = [_size(board, facts)]
    else:
        sentences = [_size(board, facts), _leaders(board), _movers(board), _swaps(board)]
    sentences.append(_uncertainty(board))
    extra = facts.get("generated") or ()
    sentences += [Markup("{}").format(text) for text in _listed(extra)]
    return [sentence for sentence in sentences if sentence]


def regression(board: Board) -> tuple[float, float] | None:
    """Least squares of the second contrasted measure on the first: (intercept, slope)."""
    points = [(board.cell(row, 0).value, board.cell(row, 1).value) for row in board.rows]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return mean_y - slope * mean_x, slope


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st, ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """'1 run', '2 runs', '1,024 runs'."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _size(board: Board, facts: Mapping[str, Any]) -> Markup:
    text = f"{counted(len(board.rows), 'run')} of {counted(len(board.teams), 'team')}"
    if board.topics:
        text += f" on {counted(len(board.topics), 'topic')}"
    text += f", scored by {counted(len(board.measures), 'measure')}"
    sentence = Markup("{}").format(text)
    judged, dimensions = facts.get("judged"), list(facts.get("dimensions") or ())
    if judged is not None:
        sentence += Markup(" against {}").format(counted(int(judged), "judged document"))
    if dimensions:
        sentence += Markup(" in {} of relevance ({})").format(
            counted(len(dimensions), "dimension"), _and([Markup.escape(d) for d in dimensions])
        )
    return sentence + "."


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


def signed(value: float, places: int = 2) -> str:
    """A number with a typographic minus."""
    return f"{value:.{places}f}".replace("-", "−")  # noqa: RUF001


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


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value] if isinstance(value, Sequence) else [str(value)]
