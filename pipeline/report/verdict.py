"""The verdict: which run leads in each dimension and in all together, and how sure that is.

Only facts are found here; the words are in the summary's template.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pipeline.errors import InputError
from pipeline.measures import Measure, parse
from pipeline.measures.measure import Single
from pipeline.report.board import Board
from pipeline.report.report import Report

ENOUGH = 0.5  # of the judged documents: below it, another pool was judged


def claims(report: Report) -> list[dict[str, Any]]:
    """Which runs lead under a measure of each dimension, then of several together."""
    board, left_out, found = report.board, _left_out(report), []
    for dimension, measure in telling(board, dimensions=report.dimensions):
        heads = [run for run, cell in board.cells(measure).items() if cell.best]
        sides = list(report.from_best[measure].values())
        claim = {
            "dimension": dimension,  # empty: several dimensions together
            "measure": measure,
            "heads": heads,  # the runs with the largest mean
            "value": float(board.values(measure).max()),
            "runs": len(board.rows),
            # How many other runs do not differ significantly; None: not tested.
            "alike": sides.count("alike") if sides else None,
            "alone": left_out.get((measure, heads[0])) if len(heads) == 1 else None,
        }
        found.append(claim)
    return found


def left_open(board: Board) -> Iterator[dict[str, Any]]:
    """How far unjudged documents leave the contrasted measures open, and for which runs most.

    Ranks past the end of a ranking leave them open further. Only where bounds are known.
    """
    for measure in dict.fromkeys(board.contrast):
        unjudged, past_end = {}, {}
        for run, cell in board.cells(measure).items():
            if cell.lower is not None and cell.upper is not None and cell.past_end is not None:
                unjudged[run], past_end[run] = cell.upper - cell.lower, cell.past_end
        if len(unjudged) == len(board.rows):
            widths = {"unjudged": _widest(unjudged), "past_end": _widest(past_end)}
            yield {"measure": measure, **widths}


def _widest(width: Mapping[str, float]) -> tuple[float, tuple[str, ...]]:
    most = max(width.values())
    return most, tuple(run for run, one in width.items() if math.isclose(one, most, abs_tol=1e-12))


def telling(board: Board, *, dimensions: Sequence[str]) -> list[tuple[str, str]]:
    """Which measure stands for each dimension, and which for several together (named "").

    The contrasted measures come first, and for further dimensions the first one's counterparts.
    Where the first measure of several dimensions leaves some out, the first that reads most of them
    is added.
    """
    declared = known_measures(board.measures, dimensions=dimensions)
    known = {name: measure.dimensions for name, measure in declared.items()}
    if not known:  # nothing is known of the measures: those contrasted stand for themselves
        return [("", measure) for measure in dict.fromkeys(board.contrast)]
    others = related(board.measures, dimensions=dimensions)
    counterparts = [one.measure for one in others if one.base == board.contrast[0]]
    ordered = list(dict.fromkeys([*board.contrast, *counterparts, *board.measures]))
    alone = {known[name][0]: name for name in reversed(ordered) if len(known.get(name, ())) == 1}
    found = [(dimension, alone[dimension]) for dimension in dimensions if dimension in alone]
    several = [name for name in ordered if len(known.get(name, ())) > 1]
    most = max(several, key=lambda name: len(known[name]), default=None)  # the first of equals
    return [*found, *(("", name) for name in dict.fromkeys([*several[:1], most]) if name)]


def _left_out(report: Report) -> dict[tuple[str, str], dict[str, Any]]:
    """By measure and run, its rank without its team's unique contributions to the pool.

    None where the pool is not the one judged.
    """
    rows = report.rows(report.results.reusability("runs"))
    return {
        (row["measure"], row["run"]): {
            "team": row["left_out"],
            "documents": int(row["unique_judged"]),
            "rank": int(row["rank_out"]),
        }
        for row in (rows if read_pooled(report)["trusted"] else ())
        if row["kind"] == "team"
    }


def read_pooled(report: Report) -> dict[str, Any]:
    """The pool of the config against the judgements: the share of these it holds, and its teams.

    It is `trusted` if it can be the one that was judged: then leaving a team out says something.
    """
    topics, teams = report.tables(*map(report.results.pool_table, ("topics", "teams"))) or ([], [])
    judged, inside = (sum(int(r[name]) for r in topics) for name in ("judged", "judged_in_pool"))
    contributed = sum(bool(row["team"]) and row["pooled_runs"] != "0" for row in teams)
    share = inside / judged if judged else 0.0
    trusted = contributed > 1 and share >= ENOUGH
    return {"share": share, "teams": contributed, "trusted": trusted}


class Related(NamedTuple):
    """A measure, the same one over the first dimension alone, and the dimension it has instead."""

    base: str
    measure: str
    dimension: str


def related(
    measures: Sequence[str], *, dimensions: Sequence[str], product: bool = False
) -> list[Related]:
    """The measures over another dimension alone: RBP(p=0.8, on=trust) beside RBP(p=0.8).

    Or those over the `product` with one further dimension: uRBP(p=0.8) beside RBP(p=0.8).
    """
    found = []
    declared = known_measures(measures, dimensions=dimensions).items()
    known = {n: m for n, m in declared if isinstance(m, Single) and m.combination is None}
    keys = {n: (m.declaration, m.cutoff, m.params, m.readings) for n, m in known.items()}
    for name, (*same, wanted) in keys.items():
        (first, reading), *further = wanted.items()
        key = (*same, {first if product else dimensions[0]: reading})
        base = next((other for other, its_key in keys.items() if its_key == key), None)
        if base and len(further) == product and (product or first != dimensions[0]):
            found.append(Related(base, name, further[0][0] if product else first))
    return found


def known_measures(measures: Sequence[str], *, dimensions: Sequence[str]) -> dict[str, Measure]:
    """The measures that are declared here, by name."""
    found = {}
    for name in measures if dimensions else ():
        with suppress(InputError):  # not one of our measures, so related to none
            found[name] = parse(name, dimensions=dimensions)
    return found
