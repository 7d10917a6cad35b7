"""What a pool holds: per topic, per team, between teams, and how much of each run it covers.

A document is a team's *unique* one where only runs of that team gave it to the pool. A run of a
pool that was drawn or cut may hold a pooled document below what it gave: giving is holding within
the method's reach.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.pooling.candidates import find
from pipeline.runs.rankings import Rankings
from pipeline.runs.teams import is_baseline
from pipeline.storage import arrow
from pipeline.storage.arrays import Bools, Ints

JUDGED = ("topic", "document", "binary")
Columns = Mapping[str, Sequence[Any]]  # of a table
Judged = Mapping[str, Mapping[str, bool]]  # topic ('' is all) -> document -> whether it is relevant


def read_judged(labels: Path) -> dict[str, dict[str, bool]]:
    """What a table of labels judges; labels of documents alone are under the topic ''."""
    return judged_in(arrow.read(labels, JUDGED))


def judged_in(table: pa.Table) -> dict[str, dict[str, bool]]:
    """As `read_judged`, of a table that was read."""
    found: dict[str, dict[str, bool]] = {}
    for topic, document, value in zip(*(table[name].to_pylist() for name in JUDGED), strict=True):
        if value == value:  # NaN: nobody was able to judge
            found.setdefault(topic or "", {})[document] = value > 0
    return found


def describe(
    given: Mapping[str, Sequence[str]],
    *,
    ranked: Rankings,
    known: Judged,
    topics: Sequence[str],
    depth: int,
    reach: int | None,
    runs: Sequence[int],
    teams: Mapping[str, str],
) -> dict[str, Columns]:
    """The tables of a pool, `given` as documents by topic: topics, teams, overlap, runs.

    `topics` are those that count, `runs` the pooled ones. `reach` is how deep the plan's method
    reads the runs; None is to their end. `depth` is how deep the coverage of runs is counted.
    """
    # A baseline is unaffiliated, and its contributions are shown beside the teams'.
    groups = [teams[run] or (run if is_baseline(run) else "") for run in ranked.runs]
    names = sorted(set(groups))
    pairs = [(topic, document) for topic, found in given.items() for document in found]
    held = _pairs(ranked, pairs)
    own = [[run for run in runs if groups[run] == name] for name in names]
    gave = np.array([np.isin(held, find(ranked, runs=some, depth=reach).pair) for some in own])
    labels = [known.get(topic, {}).get(document) for topic, document in pairs]
    numbers = {"runs": [groups.count(name) for name in names], "pooled_runs": [*map(len, own)]}
    return {
        "topics": _topics(given, known, topics),
        "teams": {"team": names, **numbers, **_contributions(gave, labels)},
        "overlap": _overlap(gave, names),
        "runs": {
            "run": ranked.runs,
            "team": groups,
            "pooled": [int(run in runs) for run in range(len(ranked.runs))],
            **_covered(ranked, {"covered": given, "judged": known}, topics, depth=depth),
        },
    }


def _pairs(ranked: Rankings, pairs: Sequence[tuple[str, str]]) -> Ints:
    """Topics and documents as one number each; negative for a document that no run holds."""
    where = {topic: t for t, topic in enumerate(ranked.topics)}
    number = ranked.find([document for _, document in pairs])
    topic = np.array([where[topic] for topic, _ in pairs], np.int64)
    return np.where(number >= 0, topic * max(1, len(ranked.documents)) + number, -2)


def _topics(
    given: Mapping[str, Collection[str]], known: Judged, counting: Sequence[str]
) -> Columns:
    names = list(dict.fromkeys([*counting, *given]))
    pools = [set(given.get(topic, ())) for topic in names]
    judged = [known.get(topic, {}) for topic in names]
    relevant = [{document for document, good in each.items() if good} for each in judged]
    return {
        "topic": names,
        "counts": [int(topic in counting) for topic in names],
        "documents": [*map(len, pools)],
        "judged": [*map(len, judged)],
        "judged_in_pool": [
            len(pool & each.keys()) for pool, each in zip(pools, judged, strict=True)
        ],
        "relevant": [*map(len, relevant)],
        "relevant_in_pool": [len(pool & each) for pool, each in zip(pools, relevant, strict=True)],
    }


def _contributions(gave: Bools, labels: Sequence[bool | None]) -> Columns:
    """`gave` is [team, pooled document], `labels` say of each document whether it is relevant."""
    relevant = np.array([label is True for label in labels], bool)
    judged = np.array([label is not None for label in labels], bool)
    unique = gave & (gave.sum(axis=0) == 1)
    counted = {
        "documents": gave,
        "relevant": gave & relevant,
        "unique": unique,
        "unique_judged": unique & judged,
        "unique_relevant": unique & relevant,
    }
    return {name: held.sum(axis=1).tolist() for name, held in counted.items()}


def _overlap(gave: Bools, names: Sequence[str]) -> Columns:
    both = (gave.astype(np.int64) @ gave.T.astype(np.int64)).tolist()
    pairs = [(a, b) for b in range(len(names)) for a in range(b)]
    shares = [(both[a][b], both[a][a] + both[b][b] - both[a][b]) for a, b in pairs]
    return {
        "team_a": [names[a] for a, _ in pairs],
        "team_b": [names[b] for _, b in pairs],
        "documents_a": [both[a][a] for a, _ in pairs],
        "documents_b": [both[b][b] for _, b in pairs],
        "both": [both[a][b] for a, b in pairs],
        "jaccard": [f"{some / either:.4f}" if either else "" for some, either in shares],
    }


def _covered(
    ranked: Rankings,
    pools: Mapping[str, Mapping[str, Collection[str]]],
    topics: Sequence[str],
    *,
    depth: int,
) -> Columns:
    """How much of each run's first documents, over the topics that count, is in each pool."""
    answered = sorted(set(topics) & set(ranked.topics))
    counts = np.isin(ranked.topics, answered)
    top = ranked.number.reshape(len(ranked.runs), len(ranked.topics), -1)[:, counts, :depth]
    first = np.flatnonzero(counts)[:, None] * np.int64(max(1, len(ranked.documents)))
    pair = np.where(top >= 0, first + top, -1)
    shown = np.maximum((top >= 0).sum(axis=(1, 2)), 1)

    def share(found: Mapping[str, Collection[str]]) -> list[str]:
        inside = np.isin(pair, _pairs(ranked, [(t, d) for t in answered for d in found.get(t, ())]))
        return [f"{value:.4f}" for value in inside.sum(axis=(1, 2)) / shown]

    return {f"{name}@{depth}": share(found) for name, found in pools.items()}
