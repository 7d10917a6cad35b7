"""What the pooled runs hold: every (topic, document), with how many runs hold it and how high."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.runs.rankings import Rankings
from pipeline.storage.arrays import Ints
from pipeline.storage.arrow import numbers


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

    def places(self, topic: int) -> Ints:
        """The same, one by one."""
        rows = self.rows(topic)
        return np.arange(rows.start, rows.stop)


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
