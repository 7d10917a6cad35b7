"""Pairs of runs that two measures put in opposite order, and how surely they do.

How often resampled topics swap a pair again is counted on bits: a word of 64 samples a comparison
of two runs, so that two measures are compared by a conjunction and a count of the bits left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.statistics.correlation.bootstrap import draws, levelled
from pipeline.statistics.means import Means
from pipeline.storage.arrays import Floats, Ints

WORD = 64  # samples
BITS = 2**26  # bytes of comparisons at once
COMPARED = 2**20  # means compared at once
AT_ONCE = 2**16  # swaps counted at once


@dataclass(frozen=True)
class Swaps:
    """Numbers of two measures (a < b) and two runs, which a puts one above other and b below.

    In the order of a, b, one, other.
    """

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    one: NDArray[np.int32]
    other: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.a)


def swapping(values: Floats) -> Swaps:
    """The swaps of scores of measures by runs."""
    runs = values.shape[1]
    none = np.empty(0, np.int32)
    a, b, code = [none], [none], [none]
    lower = [(y[:, None] < y[None, :]).ravel() for y in values]
    for first in range(len(values)):
        higher = np.flatnonzero(lower[first].reshape(runs, runs).T)
        for second in range(first + 1, len(values)):
            found = higher[lower[second][higher]]
            a.append(np.full(len(found), first, np.int32))
            b.append(np.full(len(found), second, np.int32))
            code.append(found.astype(np.int32))
    pair = np.concatenate(code)
    return Swaps(np.concatenate(a), np.concatenate(b), pair // runs, pair % runs)


def counts(swaps: Swaps, *, measures: int) -> Ints:
    """How many swaps every two measures have; in both orders of the two."""
    found = np.bincount(swaps.a * measures + swaps.b, minlength=measures * measures)
    table = found.reshape(measures, measures)
    return np.asarray(table + table.T)


def repeated(swaps: Swaps, values: Sequence[Floats], *, samples: int, seed: int) -> Floats:
    """The share of the samples of topics in which each swap is a swap, too.

    `values` has a matrix of runs by topics for each measure.
    """
    runs, topics = values[0].shape
    drawn = draws(topics, samples=samples, seed=seed)
    low, high = np.minimum(swaps.one, swaps.other), np.maximum(swaps.one, swaps.other)
    pairs, pair = np.unique(low * np.int64(runs) + high, return_inverse=True)
    order = np.argsort(pair, kind="stable")
    starts = np.searchsorted(pair[order], np.arange(len(pairs) + 1))
    share = np.empty(len(swaps))
    words = -(-samples // WORD)
    size = max(1, BITS // (2 * len(values) * words * 8))
    for start in range(0, len(pairs), size):
        some = pairs[start : start + size]
        up, down = _bits(values, drawn, some // runs, some % runs)
        here = order[starts[start] : starts[start + len(some)]]
        for mine in (here[at : at + AT_ONCE] for at in range(0, len(here), AT_ONCE)):
            a, b, at = swaps.a[mine], swaps.b[mine], pair[mine] - start
            apart = (up[a, at] & down[b, at]) | (down[a, at] & up[b, at])
            share[mine] = np.bitwise_count(apart).sum(axis=1, dtype=np.int64) / samples
    return share


def _bits(
    values: Sequence[Floats], drawn: Floats, one: Ints, other: Ints
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """[measure, pair, word]: the samples that put one run above the other, and below."""
    words = -(-len(drawn) // WORD)
    found = np.zeros((2, len(values), len(one), words * 8), np.uint8)
    size = max(1, COMPARED // len(drawn))
    for number, matrix in enumerate(values):
        means = np.ascontiguousarray(levelled(drawn @ matrix.T).T)
        for start in range(0, len(one), size):
            some = slice(start, start + size)
            x, y = means[one[some]], means[other[some]]
            for side, above in enumerate((x > y, y > x)):
                packed = np.packbits(above, axis=1)
                found[side, number, some, : packed.shape[1]] = packed
    up, down = found.view(np.uint64)
    return up, down


def write(
    path: Path,
    swaps: Swaps,
    *,
    table: Means,
    values: Floats,
    share: Floats | None,
) -> None:
    """Write the pairs of runs that two measures put in opposite order.

    measure_a, measure_b, run_a, run_b, difference_a (of run_a over run_b under measure_a, above
    zero), difference_b (below zero), share (of the samples that swap them too; NaN without).
    """
    from pipeline.storage import arrow
    from pipeline.storage.arrow import coded, numbers

    a, b, one, other = swaps.a, swaps.b, swaps.one, swaps.other
    arrow.write(
        path,
        {
            "measure_a": coded(a, table.measures),
            "measure_b": coded(b, table.measures),
            "run_a": coded(one, table.runs),
            "run_b": coded(other, table.runs),
            "difference_a": numbers(values[a, one] - values[a, other]),
            "difference_b": numbers(values[b, one] - values[b, other]),
            "share": numbers(np.full(len(swaps), math.nan) if share is None else share),
        },
    )
