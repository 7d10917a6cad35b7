"""Reusability: would a team that had not taken part be judged fairly by this collection?

Leave-one-out (Zobel, SIGIR 1998; Buckley & Voorhees): the documents that only this team's runs gave
to the pool become unjudged, all runs are scored again, and the team's scores and ranks compared.
Beside them the residual (what unjudged documents leave open) and the same on condensed lists.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.judging.leaving_out import Lists, Units, everyone, left_open, residuals
from pipeline.judging.rescoring import Cases, Owners, squeezed, unscored
from pipeline.measures import Measure, parse
from pipeline.pooling.candidates import find
from pipeline.pooling.plan import Plan, pooled
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import ranks
from pipeline.storage import arrow, sheets
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
    gains: Mapping[str, Path],
    *,
    rankings: Path,
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
    """Write one row a left-out unit, its run and measure, and a summary a measure.

    `reach` is how deep the pool's method reads the runs; None is to their end.
    """
    data = read_gains(gains)
    ranked = read_rankings(rankings, topics=data.topics)
    wanted = unscored([parse(name, dimensions=list(gains)) for name in measures])
    giving = pooled(ranked.runs, plan=plan, teams=teams)
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    named = any(teams[run] for run in ranked.runs)
    before = left_open(data, wanted)
    for kind in (one for one in kinds if named or one != "team"):
        units = units_of(kind, runs=ranked.runs, giving=giving, teams=teams)
        owners = owners_of(data, ranked, units=units, reach=reach, labelled=labelled)
        first = next(iter(gains))
        plain, short = Lists(data, owners, None), Lists(*squeezed(data, owners, by=first), first)
        for found, total in left_out(plain, short, units, wanted, before=before, unjudged=unjudged):
            rows += found
            totals.append(total)
    _write(out, RUNS, rows)
    _write(summary, SUMMARY, totals)


def units_of(
    kind: str, *, runs: Sequence[str], giving: Sequence[int], teams: Mapping[str, str]
) -> Units:
    """Teams or runs that gave to the pool; a team without a pooled run brought nothing in."""
    if kind == "run":
        each = tuple((i,) for i in giving)
        return Units(kind, tuple(runs[i] for i in giving), each, each)
    if not any(teams[run] for run in runs):
        raise InputError(
            "reusability: no run has a team to leave out; correct runs.team, or remove 'team'"
        )
    members: dict[str, list[int]] = {}
    for i, run in enumerate(runs):
        if teams[run]:  # who has none cannot be left out as one
            members.setdefault(teams[run], []).append(i)
    gave = {name: tuple(i for i in group if i in giving) for name, group in members.items()}
    names = tuple(name for name in members if gave[name])
    return Units(
        kind,
        names,
        tuple(tuple(members[name]) for name in names),
        tuple(gave[name] for name in names),
        tuple(i for i in giving if not teams[runs[i]]),
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
    if units.others:
        mine = find(ranked, runs=units.others, depth=reach).pair
        pairs.append(mine)
        unit.append(np.full(len(mine), -1, np.int16))
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
            arrow.strings(dimension.judged_document.tolist()), value_set=ranked.documents
        )
        number = arrow.array(known, missing=-1).astype(np.int64)
        held = (number >= 0) & (dimension.judged_topic >= 0)
        judged[name] = lookup(np.where(held, dimension.judged_topic * documents + number, -1))
    return Owners(lookup(wanted), judged)


@dataclass(frozen=True)
class Outcome:
    """One measure: [1 + unit, run] overall values with nothing and each unit left out."""

    scores: Floats
    condensed: Floats
    residual: Floats  # [2, run]: what the unjudged leave open, and with the own unit left out


def left_out(
    plain: Lists,
    short: Lists,
    units: Units,
    measures: Sequence[Measure],
    *,
    before: Sequence[Floats],
    unjudged: str,
) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """For each measure, every unit left out in turn: a row for each of its runs, and a summary."""
    cases, unique = _cases(plain.data, plain.owners, units)
    condensed = everyone(short, units, cases, measures)
    scores = condensed if unjudged == "condensed" else everyone(plain, units, cases, measures)
    residual = residuals(plain, units, cases, measures, before=before)
    for place, measure in enumerate(measures):
        outcome = Outcome(scores[place], condensed[place], residual[place])
        rows = _rows(outcome, units, unique, runs=plain.data.runs, measure=measure.name)
        tau = [tau_b(outcome.scores[0], out) for out in outcome.scores[1:]]
        yield [_printed(row) for row in rows], _summary(units, measure.name, rows, tau)


def _rows(
    outcome: Outcome, units: Units, unique: Ints, *, runs: Sequence[str], measure: str
) -> list[dict[str, Any]]:
    rank, condensed_rank = ranks(outcome.scores), ranks(outcome.condensed)
    return [
        {
            "kind": units.kind,
            "left_out": units.names[u],
            "unique_judged": int(unique[u]),
            "run": runs[i],
            "measure": measure,
            "value": float(outcome.scores[0, i]),
            "value_out": float(outcome.scores[u + 1, i]),
            "rank": int(rank[0, i]),
            "rank_out": int(rank[u + 1, i]),
            "residual": float(outcome.residual[0, i]),
            "residual_out": float(outcome.residual[1, i]),
            "condensed": float(outcome.condensed[0, i]),
            "condensed_out": float(outcome.condensed[u + 1, i]),
            "condensed_rank": int(condensed_rank[0, i]),
            "condensed_rank_out": int(condensed_rank[u + 1, i]),
        }
        for u, members in enumerate(units.members)
        for i in members
    ]


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
        "condensed_mean_percent": (f"{percent(column('condensed'), column('condensed_out')):.4f}"),
        "condensed_mean_rank_change": f"{squeezed.mean():.4f}",
        "least_tau_b": f"{min(known):.6f}" if known else "",
    }


def _printed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _shown(v) if isinstance(v, float) else v for k, v in row.items()}


def _shown(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6f}"  # nobody knows what bounds it


def _write(path: Path, head: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    sheets.write(path, head, rows)
