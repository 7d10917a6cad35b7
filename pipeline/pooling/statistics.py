"""Statistics of a pool: per topic, per team, overlap of teams, and coverage of each run.

A run contributes the pooled documents that it ranks within the method's depth; it may rank others
below. A document is a *unique contribution* of a team if only runs of that team contribute it.
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
Relevance = Mapping[str, Mapping[str, bool]]  # topic ('' is all), judged document: is it relevant


def read_judged(labels: Path) -> dict[str, dict[str, bool]]:
    """Binary relevance from a table of labels; labels without a topic are under the topic ''."""
    return judged_in(arrow.read(labels, JUDGED))


def judged_in(table: pa.Table) -> dict[str, dict[str, bool]]:
    """Binary relevance from a table of labels in memory, as `read_judged` returns it."""
    judgements: dict[str, dict[str, bool]] = {}
    for topic, document, value in zip(*(table[name].to_pylist() for name in JUDGED), strict=True):
        if value == value:  # NaN: no assessor was able to judge
            judgements.setdefault(topic or "", {})[document] = value > 0
    return judgements


def describe(
    pool: Mapping[str, Sequence[str]],
    *,
    ranked: Rankings,
    judgements: Relevance,
    topics: Sequence[str],
    depth: int,
    reach: int | None,
    runs: Sequence[int],
    teams: Mapping[str, str],
) -> dict[str, Columns]:
    """The tables of a pool (documents by topic): topics, teams, overlap, runs.

    `topics` are those that count, `runs` the pooled ones. `reach` is the depth to which the method
    reads the runs; None means all ranks. `depth` is the depth of the coverage of runs.
    """
    # Baselines have no team; their contributions are reported beside those of the teams.
    groups = [teams[run] or (run if is_baseline(run) else "") for run in ranked.runs]
    names = sorted(set(groups))
    pairs = [(topic, document) for topic, documents in pool.items() for document in documents]
    numbers = _pairs(ranked, pairs)
    members = [[run for run in runs if groups[run] == name] for name in names]
    candidates = (find(ranked, runs=team, depth=reach).pair for team in members)
    contributed = np.array([np.isin(numbers, pair) for pair in candidates])
    labels = [judgements.get(topic, {}).get(document) for topic, document in pairs]
    sizes = {"runs": [groups.count(name) for name in names], "pooled_runs": [*map(len, members)]}
    return {
        "topics": _topics(pool, judgements, topics),
        "teams": {"team": names, **sizes, **_contributions(contributed, labels)},
        "overlap": _overlap(contributed, names),
        "runs": {
            "run": ranked.runs,
            "team": groups,
            "pooled": [int(run in runs) for run in range(len(ranked.runs))],
            **_covered(ranked, {"covered": pool, "judged": judgements}, topics, depth=depth),
        },
    }


def _pairs(ranked: Rankings, pairs: Sequence[tuple[str, str]]) -> Ints:
    """One number per (topic, document); negative if no run retrieves the document."""
    where = {topic: t for t, topic in enumerate(ranked.topics)}
    number = ranked.find([document for _, document in pairs])
    topic = np.array([where[topic] for topic, _ in pairs], np.int64)
    return np.where(number >= 0, topic * max(1, len(ranked.documents)) + number, -2)


def _topics(
    documents: Mapping[str, Collection[str]], judgements: Relevance, counting: Sequence[str]
) -> Columns:
    names = list(dict.fromkeys([*counting, *documents]))
    pools = [set(documents.get(topic, ())) for topic in names]
    judged = [judgements.get(topic, {}) for topic in names]
    relevant = [{name for name, label in labels.items() if label} for labels in judged]
    both = list(zip(pools, judged, relevant, strict=True))
    return {
        "topic": names,
        "counts": [int(topic in counting) for topic in names],
        "documents": [*map(len, pools)],
        "judged": [*map(len, judged)],
        "judged_in_pool": [len(pool & labels.keys()) for pool, labels, _ in both],
        "relevant": [*map(len, relevant)],
        "relevant_in_pool": [len(pool & labels) for pool, _, labels in both],
    }


def _contributions(contributed: Bools, labels: Sequence[bool | None]) -> Columns:
    """Counts per team; `contributed` is [team, pooled document], `labels` are per document."""
    relevant = np.array([label is True for label in labels], bool)
    judged = np.array([label is not None for label in labels], bool)
    unique = contributed & (contributed.sum(axis=0) == 1)
    counts = {
        "documents": contributed,
        "relevant": contributed & relevant,
        "unique": unique,
        "unique_judged": unique & judged,
        "unique_relevant": unique & relevant,
    }
    return {name: column.sum(axis=1).tolist() for name, column in counts.items()}


def _overlap(contributed: Bools, names: Sequence[str]) -> Columns:
    shared = (contributed.astype(np.int64) @ contributed.T.astype(np.int64)).tolist()
    pairs = [(a, b) for b in range(len(names)) for a in range(b)]
    shares = [(shared[a][b], shared[a][a] + shared[b][b] - shared[a][b]) for a, b in pairs]
    return {
        "team_a": [names[a] for a, _ in pairs],
        "team_b": [names[b] for _, b in pairs],
        "documents_a": [shared[a][a] for a, _ in pairs],
        "documents_b": [shared[b][b] for _, b in pairs],
        "both": [shared[a][b] for a, b in pairs],
        "jaccard": [f"{common / union:.4f}" if union else "" for common, union in shares],
    }


def _covered(
    ranked: Rankings,
    pools: Mapping[str, Mapping[str, Collection[str]]],
    topics: Sequence[str],
    *,
    depth: int,
) -> Columns:
    """The share of each run's first `depth` documents that is in each pool, over all topics."""
    answered = sorted(set(topics) & set(ranked.topics))
    counts = np.isin(ranked.topics, answered)
    top = ranked.number.reshape(len(ranked.runs), len(ranked.topics), -1)[:, counts, :depth]
    first = np.flatnonzero(counts)[:, None] * np.int64(max(1, len(ranked.documents)))
    pair = np.where(top >= 0, first + top, -1)
    retrieved = np.maximum((top >= 0).sum(axis=(1, 2)), 1)

    def share(documents: Mapping[str, Collection[str]]) -> list[str]:
        pairs = [(topic, name) for topic in answered for name in documents.get(topic, ())]
        inside = np.isin(pair, _pairs(ranked, pairs))
        return [f"{value:.4f}" for value in inside.sum(axis=(1, 2)) / retrieved]

    return {f"{name}@{depth}": share(documents) for name, documents in pools.items()}
