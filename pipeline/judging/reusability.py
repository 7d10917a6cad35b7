"""Reusability: does the collection evaluate a team fairly that did not contribute to the pool?

Leave-one-team-out (Zobel, SIGIR 1998; Buckley & Voorhees): the team's unique contributions to the
pool become unjudged, all runs are rescored, and the team's scores and ranks are compared. The
output also has residuals (how far unjudged documents could change a score) and condensed rankings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.config.pool import Plan
from pipeline.gains.gains import Gains
from pipeline.judging.leaving_out import (
    NONE,
    Owners,
    Submissions,
    Units,
    group_ideals,
    leave_one_out,
    owners_of,
    residuals,
)
from pipeline.judging.rescoring import rescored
from pipeline.measures import Measure
from pipeline.measures.measure import scores_of
from pipeline.pooling.candidates import pooled
from pipeline.runs.rankings import Rankings
from pipeline.statistics.correlation.statistic import SystemRankings
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import ranks
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats, Ints

RUNS = (
    "kind", "left_out", "unique_judged", "run", "measure", "value", "value_out", "rank",
    "rank_out", "residual", "residual_out", "condensed", "condensed_out", "condensed_rank",
    "condensed_rank_out",
)  # fmt: skip
SUMMARY = (
    "kind", "measure", "left_out", "mean_change", "largest_change", "largest_change_of",
    "mean_percent", "mean_rank_change", "largest_rank_change", "largest_rank_change_of",
    "condensed_mean_percent", "condensed_mean_rank_change", "least_tau_b",
)  # fmt: skip


def reuse(
    data: Gains,
    *,
    rankings: Rankings,
    measures: Sequence[str],
    labelled: Sequence[str],
    kinds: Sequence[str],
    plan: Plan,
    reach: int | None,
    teams: Mapping[str, str],
    unjudged: str,
    out: Path,
    summary: Path,
) -> None:
    """Write one row per left-out unit, run and measure, and a summary per measure.

    `data` has full rankings for every value of `unjudged`. `reach` is the pool depth; None is the
    end of the run.
    """
    selected = rescored(measures, data)
    pooled_runs = pooled(rankings.runs, plan=plan, teams=teams)
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    # There are no unjudged documents past the end of a ranking.
    bounds = scores_of(selected, replace(data, ended=True, cache={}))
    before = [scores.unjudged.reshape(len(data.runs), -1) for scores in bounds]
    for kind in kinds:
        if kind == "team" and not any(teams[run] for run in rankings.runs):
            continue
        units = units_of(kind, runs=rankings.runs, pooled_runs=pooled_runs, teams=teams)
        owners = owners_of(
            data, rankings, units, pooled_runs=pooled_runs, reach=reach, labelled=labelled
        )
        condense = unjudged == "condensed"
        for part, total in unit_rows(data, owners, units, selected, before, condense=condense):
            rows += [{"kind": kind, **row} for row in part]
            totals.append({"kind": kind, **total})
    sheets.write(out, RUNS, rows)
    sheets.write(summary, SUMMARY, totals)


def units_of(
    kind: str, *, runs: Sequence[str], pooled_runs: Sequence[int], teams: Mapping[str, str]
) -> Units:
    """The teams or runs that contributed to the pool; runs without a team belong to no unit."""
    labels = list(runs) if kind == "run" else [teams[run] for run in runs]
    contributors = {labels[run] for run in pooled_runs} - {""}
    names = [name for name in dict.fromkeys(labels) if name in contributors]
    place = {name: n for n, name in enumerate(names)}
    return Units(names, np.array([place.get(label, NONE) for label in labels], np.int64))


def unit_rows(
    data: Gains,
    owners: Owners,
    units: Units,
    measures: Sequence[Measure],
    before: Sequence[Floats],
    *,
    condense: bool,
) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """For each measure: one row per unit and its run, and a summary over the units."""
    # Diversity measures order equally good documents in the ideal by their ids.
    by_document = any(part.declaration.diverse for one in measures for part in one.parts)
    groups = [
        group_ideals(data, owners, len(units.names), relevant=relevant, by_document=by_document)
        for relevant in (False, True)
    ]
    plain = Submissions(data, owners)
    condensed = leave_one_out(plain.condense(next(iter(data.dimensions))), units, measures, groups)
    scores = condensed if condense else leave_one_out(plain, units, measures, groups)
    residual = residuals(plain, units, measures, groups[0], before=before)
    unique = _unique(data, owners, units)
    for measure, *tables in zip(measures, scores, residual, condensed, strict=True):
        columns = _columns(units, *tables)
        rows = [
            {"measure": measure.name, "left_out": units.names[unit], "run": data.runs[run]}
            | {"unique_judged": int(unique[unit])}
            | {name: _text(column[at]) for name, column in columns.items()}
            for at, (unit, run) in enumerate(zip(*_pairs(units), strict=True))
        ]
        both = np.stack(np.broadcast_arrays(tables[0][:1], tables[0][1:]), axis=1)
        tau = tau_b.between(SystemRankings(both))[:, 0, 1] if len(both) else np.empty(0)
        total = {"measure": measure.name, "left_out": len(units.names)}
        yield rows, total | (_summary(columns, rows, tau) if rows else {})


def _pairs(units: Units) -> tuple[Ints, Ints]:
    """Unit and run of every run that belongs to a unit."""
    run = np.argsort(units.of, kind="stable")
    run = run[units.of[run] != NONE]
    return units.of[run], run


def _unique(data: Gains, owners: Owners, units: Units) -> Ints:
    """[unit]: the number of its unique judgements, in the dimension with most of them."""
    topics = len(data.topics)
    counts = np.zeros(len(units.names) * topics, np.int64)
    for name, owner in owners.judged.items():
        owned = owner >= 0
        place = owner[owned].astype(np.int64) * topics + data.dimensions[name].judged_topic[owned]
        counts = np.maximum(counts, np.bincount(place, minlength=len(counts)))
    return np.asarray(counts.reshape(len(units.names), topics).sum(axis=1))


def _columns(
    units: Units, scores: Floats, residual: Floats, condensed: Floats
) -> dict[str, NDArray[Any]]:
    """The columns for each unit and run, from scores [1 + unit, run] and residuals [2, run]."""
    unit, run = _pairs(units)
    tables = {"value": scores, "rank": ranks(scores)}
    tables |= {"condensed": condensed, "condensed_rank": ranks(condensed)}
    columns = {"residual": residual[0, run], "residual_out": residual[1, run]}
    for name, table in tables.items():
        columns |= {name: table[0, run], f"{name}_out": table[unit + 1, run]}
    return columns


def _summary(
    columns: Mapping[str, NDArray[Any]], rows: Sequence[Mapping[str, Any]], tau: Floats
) -> dict[str, Any]:
    def change(name: str) -> NDArray[Any]:
        return np.asarray(columns[f"{name}_out"] - columns[name])

    def percent(name: str) -> str:
        before = columns[name]
        nonzero = before > 0
        share = np.abs(change(name))[nonzero].dot(100 / before[nonzero]) / max(1, nonzero.sum())
        return f"{share:.4f}"

    value, moves, condensed = change("value"), abs(change("rank")), abs(change("condensed_rank"))
    largest, largest_move = int(np.abs(value).argmax()), int(moves.argmax())
    return {
        "mean_change": f"{value.mean():.6f}",
        "largest_change": f"{value[largest]:.6f}",
        "largest_change_of": rows[largest]["run"],
        "mean_percent": percent("value"),
        "mean_rank_change": f"{moves.mean():.4f}",
        "largest_rank_change": int(moves[largest_move]),
        "largest_rank_change_of": rows[largest_move]["run"],
        "condensed_mean_percent": percent("condensed"),
        "condensed_mean_rank_change": f"{condensed.mean():.4f}",
        "least_tau_b": "" if np.isnan(tau).all() else f"{np.nanmin(tau):.6f}",
    }


def _text(cell: Any) -> Any:
    return sheets.decimals(cell) if isinstance(cell, float) else cell
