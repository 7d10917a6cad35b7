"""Reusability: would a team that had not taken part be judged fairly by this collection?

Leave-one-out (Zobel, SIGIR 1998; Buckley & Voorhees): the documents that only this team's runs gave
to the pool become unjudged, all runs are scored again, and the team's scores and ranks compared.
Beside them the residual (what unjudged documents leave open) and the same on condensed lists.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline import columns
from pipeline.correlation import tau_b
from pipeline.errors import InputError
from pipeline.files import atomic
from pipeline.gains import Gains
from pipeline.gains import read as read_gains
from pipeline.measures import Measure, parse
from pipeline.pooling import Plan, pooled
from pipeline.pooling.candidates import find
from pipeline.rankings import Rankings
from pipeline.rankings import read as read_rankings
from pipeline.rescoring import (
    CELLS,
    Cases,
    Owners,
    combined,
    cutoff,
    means_combined,
    overall,
    ranks,
    scored,
    stacked,
    values,
)
from pipeline.trec import team as team_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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


@dataclass(frozen=True)
class Units:
    """What is left out in turn: teams or runs, the runs of each, and those that gave to the pool."""

    kind: str
    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    giving: tuple[tuple[int, ...], ...]


def reuse(
    gains: Mapping[str, Path],
    *,
    rankings: Path,
    measures: Sequence[str],
    labelled: Sequence[str],
    kinds: Sequence[str],
    plan: Plan,
    team: str | None,
    unjudged: str,
    out: Path,
    summary: Path,
) -> None:
    """Write one row a left-out unit, its run and measure, and a summary a measure."""
    data = read_gains(gains)
    ranked = read_rankings(rankings, topics=data.topics)
    wanted = [parse(name, dimensions=list(gains)) for name in measures]
    wanted = [measure for measure in wanted if not scored(measure)]
    giving = pooled(ranked.runs, plan=plan, team=team)
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    for kind in kinds:
        units = units_of(kind, runs=ranked.runs, giving=giving, team=team)
        owners = owners_of(data, ranked, units=units, reach=plan.reach, labelled=labelled)
        for measure in wanted:
            found, total = left_out(
                data, owners, units, measure, first=next(iter(gains)), unjudged=unjudged
            )
            rows += found
            totals.append(total)
    _write(out, RUNS, rows)
    _write(summary, SUMMARY, totals)


def units_of(
    kind: str, *, runs: Sequence[str], giving: Sequence[int], team: str | None
) -> Units:
    """Teams or runs that gave to the pool; a team without a pooled run brought nothing in."""
    if kind == "run":
        each = tuple((i,) for i in giving)
        return Units(kind, tuple(runs[i] for i in giving), each, each)
    if team is None:
        raise InputError("reusability: leaving teams out needs runs.team; add it, or remove 'team'")
    members: dict[str, list[int]] = {}
    for i, run in enumerate(runs):
        members.setdefault(team_of(run, pattern=team), []).append(i)
    gave = {name: tuple(i for i in group if i in giving) for name, group in members.items()}
    names = tuple(name for name in members if gave[name])
    return Units(
        kind,
        names,
        tuple(tuple(members[name]) for name in names),
        tuple(gave[name] for name in names),
    )


def owners_of(
    data: Gains, ranked: Rankings, *, units: Units, reach: int | None, labelled: Sequence[str]
) -> Owners:
    """Which unit alone gave each document to the pool, for all rankings and judgements."""
    pairs, unit = [np.empty(0, np.int64)], [np.empty(0, np.int16)]
    for place, giving in enumerate(units.giving):
        mine = find(ranked, runs=giving, depth=reach).pair
        pairs.append(mine)
        unit.append(np.full(len(mine), place, np.int16))
    pair, first, count = np.unique(np.concatenate(pairs), return_index=True, return_counts=True)
    alone = count == 1
    pair, owner = pair[alone], np.concatenate(unit)[first[alone]]
    documents = np.int64(max(1, len(ranked.documents)))

    def lookup(wanted: Ints) -> NDArray[np.int16]:
        place = np.minimum(np.searchsorted(pair, wanted), max(0, len(pair) - 1))
        if not len(pair):
            return np.full(wanted.shape, -1, np.int16)
        return np.where(pair[place] == wanted, owner[place], -1).astype(np.int16)

    topic = np.tile(np.arange(len(ranked.topics)), len(ranked.runs))[:, None]
    wanted = np.where(ranked.number >= 0, topic * documents + ranked.number, -1)
    judged = {}
    for name in labelled:
        dimension = data.dimensions[name]
        known = pc.index_in(
            columns.strings(dimension.judged_document.tolist()), value_set=ranked.documents
        )
        number = columns.array(known, missing=-1).astype(np.int64)
        held = (number >= 0) & (dimension.judged_topic >= 0)
        judged[name] = lookup(np.where(held, dimension.judged_topic * documents + number, -1))
    return Owners(lookup(wanted), judged)


def left_out(
    data: Gains,
    owners: Owners,
    units: Units,
    measure: Measure,
    *,
    first: str,
    unjudged: str,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """One measure with every unit left out in turn: a row for each of its runs, and a summary."""
    cases, unique = _cases(data, owners, units)
    plain, squeezed = (
        _everyone(data, owners, units, cases, measure, condensed=by)
        for by in (first if unjudged == "condensed" else None, first)
    )
    residual = _residuals(data, owners, units, cases, measure)
    base, base_squeezed = plain[0], squeezed[0]
    rank, rank_squeezed = ranks(base), ranks(base_squeezed)
    rows = []
    for u, members in enumerate(units.members):
        out, out_squeezed = plain[u + 1], squeezed[u + 1]
        rank_out, rank_squeezed_out = ranks(out), ranks(out_squeezed)
        rows += [
            {
                "kind": units.kind,
                "left_out": units.names[u],
                "unique_judged": int(unique[u]),
                "run": data.runs[i],
                "measure": measure.name,
                "value": float(base[i]),
                "value_out": float(out[i]),
                "rank": int(rank[i]),
                "rank_out": int(rank_out[i]),
                "residual": float(residual[0][i]),
                "residual_out": float(residual[1][i]),
                "condensed": float(base_squeezed[i]),
                "condensed_out": float(out_squeezed[i]),
                "condensed_rank": int(rank_squeezed[i]),
                "condensed_rank_out": int(rank_squeezed_out[i]),
            }
            for i in members
        ]
    tau = [tau_b(base, out) for out in plain[1:]]
    return [_printed(row) for row in rows], _summary(units, measure.name, rows, tau)


def _cases(data: Gains, owners: Owners, units: Units) -> tuple[Cases, Ints]:
    """The (unit, topic) pairs in which a judgement is lost, and how many each unit loses."""
    topics = len(data.topics)
    lost = np.zeros(len(units.names) * topics, np.int64)
    for name, owner in owners.judged.items():
        held = owner >= 0
        place = owner[held].astype(np.int64) * topics + data.dimensions[name].judged_topic[held]
        lost = np.maximum(lost, np.bincount(place, minlength=len(lost)))
    pairs = np.flatnonzero(lost)
    # A label that holds for every topic is lost where the ranking meets it, judged list or not.
    if any((data.dimensions[name].judged_topic < 0).any() for name in owners.judged):
        here = np.tile(np.arange(topics), len(data.runs))[:, None]
        met = np.where(owners.ranked >= 0, owners.ranked.astype(np.int64) * topics + here, -1)
        pairs = np.union1d(pairs, np.unique(met[met >= 0]))
    unique = lost.reshape(len(units.names), topics).sum(axis=1)
    return Cases(pairs % topics, pairs // topics), unique


def _everyone(
    data: Gains,
    owners: Owners,
    units: Units,
    cases: Cases,
    measure: Measure,
    *,
    condensed: str | None,
) -> Floats:
    """[1 + unit, run]: all runs' overall values, with nothing and then each unit left out."""
    if means_combined(measure):
        parts = [
            _everyone(data, owners, units, cases, part, condensed=condensed)
            for part in measure.parts
        ]
        return combined(measure, parts)
    prepared = data.condensed(condensed) if condensed else data
    base = values(measure, prepared)
    table = np.repeat(base[None], len(units.names) + 1, axis=0)
    depth = None if condensed else cutoff(measure)
    width = min(depth or owners.ranked.shape[1], owners.ranked.shape[1])
    size = max(1, CELLS // max(1, width * len(data.runs)))
    topics = len(data.topics)
    for start in range(0, len(cases), size):
        some = cases[start : start + size]
        rows = (np.arange(len(data.runs))[:, None] * topics + some.topic).ravel()
        stack = stacked(data, owners, some, rows=rows, runs=data.runs, depth=depth)
        stack = stack.condensed(condensed) if condensed else stack
        table[some.unit + 1, :, some.topic] = values(measure, stack).T
    flat = [overall(measure, found, prepared) for found in table]
    return np.array(flat)


def _residuals(
    data: Gains, owners: Owners, units: Units, cases: Cases, measure: Measure
) -> tuple[Floats, Floats]:
    """[run]: mean width of the bounds before, and with the run's own unit left out."""
    topics = len(data.topics)
    found = measure.scores(data)
    before = (found.upper - found.lower).reshape(len(data.runs), topics)
    after = before.copy()
    unit_of = np.full(len(data.runs), -1)
    for u, members in enumerate(units.members):
        unit_of[list(members)] = u
    run, case = np.nonzero(unit_of[:, None] == cases.unit)
    size = max(1, CELLS // max(1, owners.ranked.shape[1]))
    for start in range(0, len(run), size):
        mine, which = run[start : start + size], case[start : start + size]
        some = cases[which]
        # One run on many topics, each row a topic of its own: only the unit's own runs matter.
        stack = stacked(data, owners, some, rows=mine * topics + some.topic, runs=("own",))
        scores = measure.scores(stack)
        after[mine, some.topic] = scores.upper - scores.lower
    return before.mean(axis=1), after.mean(axis=1)


def _summary(
    units: Units, measure: str, rows: Sequence[Mapping[str, Any]], tau: Sequence[float]
) -> dict[str, Any]:
    if not rows:
        return {"kind": units.kind, "measure": measure, "left_out": 0}

    def column(name: str) -> Floats:
        return np.array([row[name] for row in rows], float)

    def percent(before: Floats, after: Floats) -> float:
        some = before > 0
        return float(np.abs(after - before)[some].dot(100 / before[some]) / max(1, some.sum()))

    change = column("value_out") - column("value")
    moved = np.abs(column("rank_out") - column("rank"))
    squeezed = np.abs(column("condensed_rank_out") - column("condensed_rank"))
    most, furthest = int(np.abs(change).argmax()), int(moved.argmax())
    known = [value for value in tau if not np.isnan(value)]
    return {
        "kind": units.kind,
        "measure": measure,
        "left_out": len(units.names),
        "mean_change": f"{change.mean():.6f}",
        "largest_change": f"{change[most]:.6f}",
        "largest_change_of": rows[most]["run"],
        "mean_percent": f"{percent(column('value'), column('value_out')):.4f}",
        "mean_rank_change": f"{moved.mean():.4f}",
        "largest_rank_change": int(moved[furthest]),
        "largest_rank_change_of": rows[furthest]["run"],
        "condensed_mean_percent": (
            f"{percent(column('condensed'), column('condensed_out')):.4f}"
        ),
        "condensed_mean_rank_change": f"{squeezed.mean():.4f}",
        "least_tau_b": f"{min(known):.6f}" if known else "",
    }


def _printed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: f"{v:.6f}" if isinstance(v, float) else v for k, v in row.items()}


def _write(path: Path, head: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    with atomic(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, head, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
