"""Places of lists given one after the other: counts and sums along rows, judgements by topic."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.storage.arrays import Bools, Floats, Ints

Places = tuple[Ints, Ints, Floats]  # row, rank and gain of some documents


def picked(places: Places, kept: Bools) -> Places:
    """Some of the places."""
    row, rank, gain = places
    return row[kept], rank[kept], gain[kept]


def _starts(row: Ints) -> Ints:
    """Where the row of each place begins; rows are given in order."""
    counts = np.bincount(row, minlength=1)
    return np.asarray((np.cumsum(counts) - counts)[row])


def ordinal(row: Ints) -> Ints:
    """The how manieth of its row each place is, from 1; rows are given in order."""
    return np.asarray(np.arange(1, len(row) + 1) - _starts(row))


def running(row: Ints, marked: Bools) -> Ints:
    """How many of the marked places of a row come up to each place; rows are given in order."""
    total = np.cumsum(marked)
    start = _starts(row)
    return np.asarray(total - (total[start] - marked[start]))


def summed(row: Ints, values: Floats) -> Floats:
    """The sum of a row's values up to each of its places; rows are given in order."""
    start = _starts(row)
    if np.array_equal(values, np.rint(values)):  # whole numbers add up exactly in any order
        total = np.cumsum(values)
        return np.asarray(total - (total[start] - values[start]))
    place = np.arange(len(row)) - start
    table = np.zeros((int(row.max(initial=-1)) + 1, int(place.max(initial=-1)) + 1))
    table[row, place] = values
    return np.asarray(np.cumsum(table, axis=1)[row, place])


def best_first(topic: Ints, worth: Floats, topics: int) -> Floats:
    """[topic, n]: the gains of each topic's documents, best first, then 0."""
    order = np.lexsort((-worth, topic))
    number = ordinal(topic[order])
    table = np.zeros((topics, int(number.max(initial=1))))
    table[topic[order], number - 1] = worth[order]
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


def judged_places(
    every: Sequence[NDArray[Any]],
) -> tuple[Ints, Ints, tuple[NDArray[Any], ...]]:
    """Row, rank and levels of what is judged in every dimension, given their levels."""
    known = reduce(np.logical_and, (codes > UNJUDGED for codes in every))
    # As np.nonzero, several times faster.
    row, rank = np.divmod(np.flatnonzero(known), max(known.shape[1], 1))
    return row, rank, tuple(codes[row, rank] for codes in every)


def matched(
    judged: Dimension, worth: Floats, topic: Ints, document: NDArray[np.str_], *, worst: float
) -> Floats:
    """What some documents are worth, given that of all that was judged; `worst` without a label."""
    keys = zip(judged.judged_topic.tolist(), judged.judged_document.tolist(), strict=True)
    known = dict(zip(keys, worth.tolist(), strict=True))
    pairs = zip(topic.tolist(), document.tolist(), strict=True)
    return np.array([known.get((t, d), known.get((-1, d), worst)) for t, d in pairs])
