"""The pooled runs, and what they hold: each (topic, document), by how many runs and how high."""

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
    """One row a (topic, document), by topic and then document number."""

    topic: Ints
    document: Ints
    runs: Ints
    best: Ints
    pair: Ints  # topic * documents + document

    def rows(self, topic: int) -> slice:
        """The rows of one topic."""
        first, end = np.searchsorted(self.topic, [topic, topic + 1])
        return slice(int(first), int(end))


def find(ranked: Rankings, *, runs: Sequence[int], depth: int | None) -> Candidates:
    """The first `depth` documents of each run, or all, as candidates."""
    topics, documents = len(ranked.topics), np.int64(max(1, len(ranked.documents)))
    rows = (np.array(runs, np.int64)[:, None] * topics + np.arange(topics)).ravel()
    top = ranked.number[rows, :depth]
    held = top >= 0
    topic = np.broadcast_to(np.tile(np.arange(topics), len(runs))[:, None], top.shape)[held]
    rank = np.broadcast_to(np.arange(1, top.shape[1] + 1), top.shape)[held]
    pair, place, count = np.unique(
        topic * documents + top[held], return_inverse=True, return_counts=True
    )
    best = np.full(len(pair), np.iinfo(np.int64).max)
    np.minimum.at(best, place.ravel(), rank)
    return Candidates(pair // documents, pair % documents, count, best, pair)


def names(ranked: Rankings, documents: Ints) -> list[str]:
    """The ids of documents by their numbers."""
    found: list[str] = ranked.documents.take(numbers(documents.astype(np.int64))).to_pylist()
    return found


def pooled(runs: Sequence[str], *, plan: Plan, teams: Mapping[str, str]) -> list[int]:
    """The runs that give to the pool: those `pool.runs` finds, then the first few of each team.

    A run without a team stands for itself.
    """
    own = matching_runs(runs, pattern=plan.runs, where="pool.runs")
    groups: dict[str, list[int]] = {}
    for i in sorted(own, key=lambda i: natural(runs[i])):
        groups.setdefault(teams[runs[i]] or f"run {runs[i]}", []).append(i)
    return sorted(i for group in groups.values() for i in group[: plan.per_team])
