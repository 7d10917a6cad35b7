"""The verdict: the best run in each dimension and over all, with significance and residuals."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pipeline.errors import InputError
from pipeline.measures import Measure, parse
from pipeline.measures.measure import Single
from pipeline.report.board import Board
from pipeline.report.report import Report

ENOUGH = 0.5  # share of the judged documents in the pool; below it, another pool was judged


def claims(report: Report) -> list[dict[str, Any]]:
    """The best runs under a measure of each dimension, then under measures of several."""
    board, left_out, verdict = report.board, _ranks_without_contributions(report), []
    for dimension, measure in representative_measures(board, dimensions=report.dimensions):
        heads = [run for run, cell in board.cells(measure).items() if cell.best]
        sides = list(report.from_best[measure].values())
        claim = {
            "dimension": dimension,  # empty: several dimensions
            "measure": measure,
            "heads": heads,  # the runs with the largest mean
            "value": float(board.values(measure).max()),
            "runs": len(board.rows),
            # The number of other runs that do not differ significantly; None: not tested.
            "alike": sides.count("alike") if sides else None,
            "left_out": left_out.get((measure, heads[0])) if len(heads) == 1 else None,
        }
        verdict.append(claim)
    return verdict


def residuals(board: Board) -> Iterator[dict[str, Any]]:
    """The largest residuals of the contrasted measures with known bounds, and their runs."""
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
    runs = (run for run, value in width.items() if math.isclose(value, most, abs_tol=1e-12))
    return most, tuple(runs)


def representative_measures(board: Board, *, dimensions: Sequence[str]) -> list[tuple[str, str]]:
    """The measure that represents each dimension, and those of several dimensions (named "").

    The contrasted measures come first, then the counterparts of the first one. If the first measure
    of several dimensions does not use all, the first one that uses most of them is added.
    """
    declared = known_measures(board.measures, dimensions=dimensions)
    used = {name: measure.dimensions for name, measure in declared.items()}
    if not used:  # no measure is declared: the contrasted ones represent themselves
        return [("", measure) for measure in dict.fromkeys(board.contrast)]
    pairs = related(board.measures, dimensions=dimensions)
    counterparts = [pair.measure for pair in pairs if pair.base == board.contrast[0]]
    ordered = list(dict.fromkeys([*board.contrast, *counterparts, *board.measures]))
    single = {used[name][0]: name for name in reversed(ordered) if len(used.get(name, ())) == 1}
    chosen = [(dimension, single[dimension]) for dimension in dimensions if dimension in single]
    several = [name for name in ordered if len(used.get(name, ())) > 1]
    most = max(several, key=lambda name: len(used[name]), default=None)
    return [*chosen, *(("", name) for name in dict.fromkeys([*several[:1], most]) if name)]


def _ranks_without_contributions(report: Report) -> dict[tuple[str, str], dict[str, Any]]:
    """By measure and run: the rank without the team's unique contributions, if meaningful."""
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
    """The share of the judged documents that the configured pool holds, and its number of teams.

    It is `trusted` if it can be the judged pool. Only then is leave-one-team-out meaningful.
    """
    topics, teams = report.tables(*map(report.results.pool_table, ("topics", "teams"))) or ([], [])
    judged, inside = (sum(int(r[name]) for r in topics) for name in ("judged", "judged_in_pool"))
    contributed = sum(bool(row["team"]) and row["pooled_runs"] != "0" for row in teams)
    share = inside / judged if judged else 0.0
    trusted = contributed > 1 and share >= ENOUGH
    return {"share": share, "teams": contributed, "trusted": trusted}


class Related(NamedTuple):
    """A measure, its base over the first dimension alone, and the dimension that differs."""

    base: str
    measure: str
    dimension: str


def related(
    measures: Sequence[str], *, dimensions: Sequence[str], product: bool = False
) -> list[Related]:
    """The measures over another dimension alone: RBP(p=0.8, on=trust) beside RBP(p=0.8).

    Or those over the `product` with one further dimension: uRBP(p=0.8) beside RBP(p=0.8).
    """
    pairs = []
    declared = known_measures(measures, dimensions=dimensions).items()
    singles = {n: m for n, m in declared if isinstance(m, Single) and m.combination is None}
    keys = {n: (m.declaration, m.cutoff, m.params, m.readings) for n, m in singles.items()}
    for name, (*same, wanted) in keys.items():
        (first, reading), *further = wanted.items()
        key = (*same, {first if product else dimensions[0]: reading})
        base = next((other for other, its_key in keys.items() if its_key == key), None)
        if base and len(further) == product and (product or first != dimensions[0]):
            pairs.append(Related(base, name, further[0][0] if product else first))
    return pairs


def known_measures(measures: Sequence[str], *, dimensions: Sequence[str]) -> dict[str, Measure]:
    """The measures that Fathom declares, by name."""
    parsed = {}
    for name in measures if dimensions else ():
        with suppress(InputError):  # not a declared measure, so related to none
            parsed[name] = parse(name, dimensions=dimensions)
    return parsed
