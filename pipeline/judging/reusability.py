"""Reusability: would a team that had not taken part be judged fairly by this collection?

Leave-one-out (Zobel, SIGIR 1998; Buckley & Voorhees): the documents that only this team's runs
contributed to the pool become unjudged, all runs are scored again, and the team's scores and ranks
compared. Beside them the residual (unjudged documents could change the score by so much) and the
same on condensed rankings.
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
    Lists,
    Owners,
    Units,
    alike,
    everyone,
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
    """Write one row per left-out unit, its run and measure, and a summary per measure.

    `data` has whole rankings, whatever `unjudged` says; `reach` is how deep the pool's method
    reads the runs, None is to their end.
    """
    wanted = rescored(measures, data)
    giving = pooled(rankings.runs, plan=plan, teams=teams)
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    # Ranks past the end of a ranking hold no unjudged documents.
    ended = scores_of(wanted, replace(data, ended=True, cache={}))
    before = [one.unjudged.reshape(len(data.runs), -1) for one in ended]
    for kind in kinds:
        if kind == "team" and not any(teams[run] for run in rankings.runs):
            continue
        units = units_of(kind, runs=rankings.runs, giving=giving, teams=teams)
        owners = owners_of(data, rankings, units, giving=giving, reach=reach, labelled=labelled)
        for some, total in left_out(data, owners, units, wanted, before=before, unjudged=unjudged):
            rows += [{"kind": kind, **row} for row in some]
            totals.append({"kind": kind, **total})
    sheets.write(out, RUNS, rows)
    sheets.write(summary, SUMMARY, totals)


def units_of(
    kind: str, *, runs: Sequence[str], giving: Sequence[int], teams: Mapping[str, str]
) -> Units:
    """Teams or runs that contributed to the pool; runs without a team are in none."""
    labels = list(runs) if kind == "run" else [teams[run] for run in runs]
    gave = {labels[run] for run in giving} - {""}
    place = {name: n for n, name in enumerate(dict.fromkeys(x for x in labels if x in gave))}
    return Units(list(place), np.array([place.get(label, NONE) for label in labels], np.int64))


def left_out(
    data: Gains,
    owners: Owners,
    units: Units,
    measures: Sequence[Measure],
    *,
    before: Sequence[Floats],
    unjudged: str,
) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """For each measure, every unit left out in turn: a row for each of its runs, and a summary."""
    # Which of equally good documents an ideal takes first goes by their ids in some measures.
    apart = any(part.declaration.diverse for one in measures for part in one.parts)
    same = [alike(data, owners, len(units.names), lean=lean, apart=apart) for lean in (False, True)]
    plain = Lists(data, owners)
    condensed = everyone(plain.condense(next(iter(data.dimensions))), units, measures, same)
    scores = condensed if unjudged == "condensed" else everyone(plain, units, measures, same)
    residual = residuals(plain, units, measures, same[0], before=before)
    unique = _unique(data, owners, units)
    for measure, *tables in zip(measures, scores, residual, condensed, strict=True):
        columns = _columns(units, *tables)
        rows = [
            {
                "measure": measure.name,
                "left_out": units.names[unit],
                "unique_judged": int(unique[unit]),
                "run": data.runs[run],
                **{name: _text(column[at]) for name, column in columns.items()},
            }
            for at, (unit, run) in enumerate(zip(*_pairs(units), strict=True))
        ]
        both = np.stack(np.broadcast_arrays(tables[0][:1], tables[0][1:]), axis=1)
        tau = tau_b.between(SystemRankings(both))[:, 0, 1] if len(both) else np.empty(0)
        total = {"measure": measure.name, "left_out": len(units.names)}
        yield rows, total | (_summary(columns, rows, tau) if rows else {})


def _pairs(units: Units) -> tuple[Ints, Ints]:
    """Unit and run: every run of every unit."""
    run = np.argsort(units.of, kind="stable")
    run = run[units.of[run] != NONE]
    return units.of[run], run


def _unique(data: Gains, owners: Owners, units: Units) -> Ints:
    """[unit]: how many judgements are its own, in the dimension where they are most."""
    topics = len(data.topics)
    lost = np.zeros(len(units.names) * topics, np.int64)
    for name, owner in owners.judged.items():
        held = owner >= 0
        place = owner[held].astype(np.int64) * topics + data.dimensions[name].judged_topic[held]
        lost = np.maximum(lost, np.bincount(place, minlength=len(lost)))
    return np.asarray(lost.reshape(len(units.names), topics).sum(axis=1))


def _columns(
    units: Units, scores: Floats, residual: Floats, condensed: Floats
) -> dict[str, NDArray[Any]]:
    """Figures of each unit and run, given scores [1 + unit, run] and residuals [2, run]."""
    unit, run = _pairs(units)
    tables = {
        "value": scores,
        "rank": ranks(scores),
        "condensed": condensed,
        "condensed_rank": ranks(condensed),
    }
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
        some = before > 0
        share = np.abs(change(name))[some].dot(100 / before[some]) / max(1, some.sum())
        return f"{share:.4f}"

    value, moved, squeezed = change("value"), *map(np.abs, map(change, ("rank", "condensed_rank")))
    most, furthest = int(np.abs(value).argmax()), int(moved.argmax())
    return {
        "mean_change": f"{value.mean():.6f}",
        "largest_change": f"{value[most]:.6f}",
        "largest_change_of": rows[most]["run"],
        "mean_percent": percent("value"),
        "mean_rank_change": f"{moved.mean():.4f}",
        "largest_rank_change": int(moved[furthest]),
        "largest_rank_change_of": rows[furthest]["run"],
        "condensed_mean_percent": percent("condensed"),
        "condensed_mean_rank_change": f"{squeezed.mean():.4f}",
        "least_tau_b": "" if np.isnan(tau).all() else f"{np.nanmin(tau):.6f}",
    }


def _text(cell: Any) -> Any:
    return sheets.decimals(cell) if isinstance(cell, float) else cell
