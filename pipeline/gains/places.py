"""Places of lists given one after the other: counts and sums along rows, judgements by topic."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import Dimension
from pipeline.storage.arrays import Bools, Floats, Ints


def running(row: Ints, marked: Bools) -> Ints:
    """How many of the marked places of a row come up to each place; rows are given in order."""
    total = np.cumsum(marked)
    start = np.searchsorted(row, row)  # the row's first place
    return np.asarray(total - (total[start] - marked[start]))


def summed(row: Ints, values: Floats) -> Floats:
    """The sum of a row's values up to each of its places; rows are given in order."""
    start = np.searchsorted(row, row)
    place = np.arange(len(row)) - start
    table = np.zeros((int(row.max(initial=-1)) + 1, int(place.max(initial=-1)) + 1))
    table[row, place] = values
    return np.asarray(np.cumsum(table, axis=1)[row, place])


def best_first(topic: Ints, worth: Floats, topics: int) -> Floats:
    """[topic, n]: the gains of each topic's documents, best first, then 0."""
    order = np.lexsort((-worth, topic))
    topic, worth = topic[order], worth[order]
    counts = np.bincount(topic, minlength=topics)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    table = np.zeros((len(counts), max(1, int(counts.max(initial=0)))))
    table[topic, np.arange(len(topic)) - first[topic]] = worth
    return table


def judged_anywhere(
    dimensions: Iterable[Dimension], *, topics: int
) -> tuple[Ints, NDArray[np.str_]]:
    """Topic number and id of every document with a label in any of some dimensions."""
    places: dict[tuple[int, str], None] = {}
    for judged in dimensions:
        for t, d in zip(judged.judged_topic.tolist(), judged.judged_document.tolist(),
                        strict=True):  # fmt: skip
            places.update(dict.fromkeys((n, d) for n in (range(topics) if t < 0 else (t,))))
    return np.array([t for t, _ in places], np.int64), np.array([d for _, d in places], str)
