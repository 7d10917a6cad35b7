"""Pooled runs and their candidates: how many runs rank each document, and its best rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.config.pool import Plan
from pipeline.runs.rankings import Rankings, matching_runs
from pipeline.storage.arrays import Ints
from pipeline.storage.arrow import numbers
from pipeline.storage.text import natural


@dataclass(frozen=True)
class Candidates:
    """One row per (topic, document), sorted by topic and document number."""

    topic: Ints
    document: Ints
    runs: Ints  # how many pooled runs retrieve it
    best: Ints  # its best rank in any of them
    pair: Ints  # topic * documents + document

    def rows(self, topic: int) -> slice:
        first, end = np.searchsorted(self.topic, [topic, topic + 1])
        return slice(int(first), int(end))


def find(ranked: Rankings, *, runs: Sequence[int], depth: int | None) -> Candidates:
    """The first `depth` documents of each run as candidates; all documents if None."""
    topics, documents = len(ranked.topics), np.int64(max(1, len(ranked.documents)))
    rows = (np.array(runs, np.int64)[:, None] * topics + np.arange(topics)).ravel()
    top = ranked.number[rows, :depth]
    valid = top >= 0
    topic = np.broadcast_to(np.tile(np.arange(topics), len(runs))[:, None], top.shape)[valid]
    rank = np.broadcast_to(np.arange(1, top.shape[1] + 1), top.shape)[valid]
    pairs = topic * documents + top[valid]
    pair, place, count = np.unique(pairs, return_inverse=True, return_counts=True)
    best = np.full(len(pair), np.iinfo(np.int64).max)
    np.minimum.at(best, place.ravel(), rank)
    return Candidates(pair // documents, pair % documents, count, best, pair)


def names(ranked: Rankings, documents: Ints) -> list[str]:
    """The ids of documents, given their numbers."""
    ids: list[str] = ranked.documents.take(numbers(documents.astype(np.int64))).to_pylist()
    return ids


def pooled(runs: Sequence[str], *, plan: Plan, teams: Mapping[str, str]) -> list[int]:
    """The pooled runs: those that match `pool.runs`, at most `plan.per_team` of each team."""
    matching = matching_runs(runs, pattern=plan.runs, where="pool.runs")
    groups: dict[str, list[int]] = {}
    for i in sorted(matching, key=lambda i: natural(runs[i])):
        groups.setdefault(teams[runs[i]] or f"run {runs[i]}", []).append(i)
    return sorted(i for group in groups.values() for i in group[: plan.per_team])
