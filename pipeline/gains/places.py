"""Places (row, rank) in rankings: counts and sums along rows, and judgements by topic."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.storage.arrays import Bools, Floats, Ints

Places = tuple[Ints, Ints, Floats]  # row, rank and gain of documents


def select(places: Places, selection: Bools) -> Places:
    """The selected places."""
    row, rank, gain = places
    return row[selection], rank[selection], gain[selection]


def _starts(row: Ints) -> Ints:
    """The index at which the row of each place starts; `row` is sorted."""
    counts = np.bincount(row, minlength=1)
    return np.asarray((np.cumsum(counts) - counts)[row])


def ordinal(row: Ints) -> Ints:
    """The 1-based position of each place within its row; `row` is sorted."""
    return np.asarray(np.arange(1, len(row) + 1) - _starts(row))


def running_count(row: Ints, marked: Bools) -> Ints:
    """The number of marked places of the row up to each place; `row` is sorted."""
    total = np.cumsum(marked)
    start = _starts(row)
    return np.asarray(total - (total[start] - marked[start]))


def running_sum(row: Ints, values: Floats) -> Floats:
    """The sum of the row's values up to each place; `row` is sorted."""
    start = _starts(row)
    if np.array_equal(values, np.rint(values)):  # sums of whole numbers are exact in any order
        total = np.cumsum(values)
        return np.asarray(total - (total[start] - values[start]))
    place = np.arange(len(row)) - start
    table = np.zeros((int(row.max(initial=-1)) + 1, int(place.max(initial=-1)) + 1))
    table[row, place] = values
    return np.asarray(np.cumsum(table, axis=1)[row, place])


def best_first(topic: Ints, worth: Floats, topics: int) -> Floats:
    """[topic, n]: the gains of each topic's documents in descending order, then 0."""
    order = np.lexsort((-worth, topic))
    number = ordinal(topic[order])
    table = np.zeros((topics, int(number.max(initial=1))))
    table[topic[order], number - 1] = worth[order]
    return table


def judged_documents(
    dimensions: Iterable[Dimension], *, topics: int
) -> tuple[Ints, NDArray[np.str_]]:
    """Topic number and id of every document with a label in any of the dimensions."""
    pairs: dict[tuple[int, str], None] = {}
    for part in dimensions:
        for t, d in zip(part.judged_topic.tolist(), part.judged_document.tolist(), strict=True):
            pairs.update(dict.fromkeys((n, d) for n in (range(topics) if t < 0 else (t,))))
    return np.array([t for t, _ in pairs], np.int64), np.array([d for _, d in pairs], str)


def judged_places(levels: Sequence[NDArray[Any]]) -> tuple[Ints, Ints, tuple[NDArray[Any], ...]]:
    """Row, rank and levels of documents that are judged in all dimensions, given their levels."""
    judged = reduce(np.logical_and, (level > UNJUDGED for level in levels))
    # The same as np.nonzero, several times faster.
    row, rank = np.divmod(np.flatnonzero(judged), max(judged.shape[1], 1))
    return row, rank, tuple(level[row, rank] for level in levels)


def look_up(
    dimension: Dimension, worth: Floats, topic: Ints, document: NDArray[np.str_], *, worst: float
) -> Floats:
    """The gains of documents, given those of all judged ones; `worst` without a label."""
    keys = zip(dimension.judged_topic.tolist(), dimension.judged_document.tolist(), strict=True)
    worth_of = dict(zip(keys, worth.tolist(), strict=True))
    pairs = zip(topic.tolist(), document.tolist(), strict=True)
    return np.array([worth_of.get((t, d), worth_of.get((-1, d), worst)) for t, d in pairs])
