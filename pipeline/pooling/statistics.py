"""What a pool holds: per topic, per team, between teams, and how much of each run it covers.

A document is a team's *unique* one where only runs of that team gave it to the pool. A run of a
pool that was drawn or cut may hold a pooled document below what it gave: giving is holding within
the method's reach.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.pooling.candidates import find
from pipeline.pooling.files import read as read_pool
from pipeline.pooling.plan import Plan, pooled
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.teams import is_baseline
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Bools

FILES = ("topics", "teams", "overlap", "runs")
OVERLAP = ("team_a", "team_b", "documents_a", "documents_b", "both", "jaccard")


@dataclass(frozen=True)
class Judged:
    """The first labelled dimension: what was judged in each topic, and what of it is relevant."""

    judged: Mapping[str, set[str]]
    relevant: Mapping[str, set[str]]


def describe(
    pool: Path,
    *,
    rankings: Path,
    labels: Path | None,
    topics: Sequence[str],
    plan: Plan,
    reach: int | None,
    teams: Mapping[str, str],
    out: Mapping[str, Path],
) -> None:
    """Write the four tables of `FILES`; `topics` are those that count, and those of the pool.

    `reach` is how deep the plan's method reads the runs; None is to their end.
    """
    given = read_pool(pool)
    everywhere = list(dict.fromkeys([*topics, *given]))
    ranked = read_rankings(rankings, topics=everywhere)
    known = read_judged(labels) if labels else Judged({}, {})
    mine = pooled(ranked.runs, plan=plan, teams=teams)
    # A baseline is nobody's, and what it brings in is told apart from the teams'.
    groups = [teams[run] or (run if is_baseline(run) else "") for run in ranked.runs]
    held = _holdings(ranked, given, runs=mine, teams=groups, reach=reach)
    _write(out["topics"], _topics(everywhere, given, known, counting=set(topics)))
    _write(out["teams"], _teams(held, known, runs=mine, teams=groups))
    _write(out["overlap"], _overlap(held))
    _write(
        out["runs"],
        _runs(ranked, given, known, mine=mine, teams=groups, depth=plan.depth, topics=topics),
    )


@dataclass(frozen=True)
class Holdings:
    """Which teams gave each pooled document."""

    teams: tuple[str, ...]
    topic: tuple[str, ...]
    document: tuple[str, ...]
    gave: Bools  # [pooled document, team]

    @property
    def unique(self) -> Bools:
        """[pooled document, team]: given by this team and no other."""
        return np.asarray(self.gave & (self.gave.sum(axis=1) == 1)[:, None])


def _holdings(
    ranked: Rankings,
    given: Mapping[str, Sequence[str]],
    *,
    runs: Sequence[int],
    teams: Sequence[str],
    reach: int | None,
) -> Holdings:
    names = sorted(set(teams))
    pairs = [(topic, document) for topic, found in given.items() for document in found]
    where = {topic: t for t, topic in enumerate(ranked.topics)}
    number = numbers_of(ranked, [document for _, document in pairs])
    size = np.int64(max(1, len(ranked.documents)))
    held = np.array([where[topic] for topic, _ in pairs], np.int64) * size + number
    gave = np.zeros((len(pairs), len(names)), bool)
    for i, name in enumerate(names):
        mine = [run for run in runs if teams[run] == name]
        if mine:
            gave[:, i] = np.isin(held, find(ranked, runs=mine, depth=reach).pair)
    return Holdings(tuple(names), tuple(t for t, _ in pairs), tuple(d for _, d in pairs), gave)


def numbers_of(ranked: Rankings, documents: Sequence[str]) -> NDArray[Any]:
    """The rankings' numbers of documents; -2 for one no run holds."""
    import pyarrow.compute as pc

    found = pc.index_in(arrow.strings(documents), value_set=ranked.documents)
    return arrow.array(found, missing=-2)


def read_judged(labels: Path) -> Judged:
    """What a table of labels judges by topic; what it says of a document alone is left out."""
    table = arrow.read(labels, ["topic", "document", "binary"]).to_pydict()
    judged: dict[str, set[str]] = {}
    relevant: dict[str, set[str]] = {}
    for topic, document, value in zip(
        table["topic"], table["document"], table["binary"], strict=True
    ):
        if topic is None or value != value:
            continue
        judged.setdefault(topic, set()).add(document)
        if value > 0:
            relevant.setdefault(topic, set()).add(document)
    return Judged(judged, relevant)


def _topics(
    topics: Sequence[str], given: Mapping[str, Sequence[str]], known: Judged, *, counting: set[str]
) -> list[dict[str, Any]]:
    none: set[str] = set()
    return [
        {
            "topic": topic,
            "counts": int(topic in counting),
            "documents": len(pool),
            "judged": len(known.judged.get(topic, none)),
            "judged_in_pool": len(pool & known.judged.get(topic, none)),
            "relevant": len(known.relevant.get(topic, none)),
            "relevant_in_pool": len(pool & known.relevant.get(topic, none)),
        }
        for topic in topics
        for pool in [set(given.get(topic, ()))]
    ]


def _teams(
    held: Holdings, known: Judged, *, runs: Sequence[int], teams: Sequence[str]
) -> list[dict[str, Any]]:
    none: set[str] = set()
    pairs = list(zip(held.topic, held.document, strict=True))
    relevant = np.array([d in known.relevant.get(t, none) for t, d in pairs], bool)
    judged = np.array([d in known.judged.get(t, none) for t, d in pairs], bool)
    giving = [teams[run] for run in runs]
    return [
        {
            "team": name,
            "runs": teams.count(name),
            "pooled_runs": giving.count(name),
            "documents": int(held.gave[:, i].sum()),
            "relevant": int((held.gave[:, i] & relevant).sum()),
            "unique": int(held.unique[:, i].sum()),
            "unique_judged": int((held.unique[:, i] & judged).sum()),
            "unique_relevant": int((held.unique[:, i] & relevant).sum()),
        }
        for i, name in enumerate(held.teams)
    ]


def _overlap(held: Holdings) -> list[dict[str, Any]]:
    gave = held.gave.astype(np.int64)
    both = gave.T @ gave
    rows = []
    for a, name in enumerate(held.teams):
        for b, other in enumerate(held.teams[:a]):
            either = both[a, a] + both[b, b] - both[a, b]
            share = both[a, b] / either if either else float("nan")
            rows.append(
                {
                    "team_a": other,
                    "team_b": name,
                    "documents_a": int(both[b, b]),
                    "documents_b": int(both[a, a]),
                    "both": int(both[a, b]),
                    "jaccard": _share(share),
                }
            )
    return rows


def _runs(
    ranked: Rankings,
    given: Mapping[str, Sequence[str]],
    known: Judged,
    *,
    mine: Sequence[int],
    teams: Sequence[str],
    depth: int,
    topics: Sequence[str],
) -> list[dict[str, Any]]:
    shape = len(ranked.runs), len(ranked.topics), -1
    top = ranked.number.reshape(shape)[:, :, :depth]
    where = {topic: t for t, topic in enumerate(ranked.topics)}
    size = np.int64(max(1, len(ranked.documents)))
    pair = np.where(top >= 0, np.arange(len(ranked.topics))[:, None] * size + top, -1)

    def among(found: Mapping[str, Collection[str]]) -> Bools:
        wanted = [(where[t], d) for t in topics for d in found.get(t, ())]
        number = numbers_of(ranked, [document for _, document in wanted])
        held = np.array([t for t, _ in wanted], np.int64) * size + number
        return np.isin(pair, held[number >= 0])

    covered, judged = among(given), among(known.judged)
    counts = np.isin(np.arange(len(ranked.topics)), [where[topic] for topic in topics])
    shown = np.maximum((top >= 0)[:, counts].sum(axis=(1, 2)), 1)
    return [
        {
            "run": run,
            "team": teams[i],
            "pooled": int(i in mine),
            f"covered@{depth}": _share(covered[i, counts].sum() / shown[i]),
            f"judged@{depth}": _share(judged[i, counts].sum() / shown[i]),
        }
        for i, run in enumerate(ranked.runs)
    ]


def _share(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.4f}"


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    head = list(rows[0]) if rows else list(OVERLAP)  # one team overlaps with none
    sheets.write(path, head, rows)
