"""Swaps: pairs of runs that two measures put in opposite order, and their bootstrap support.

Samples are bits: a comparison of two runs under a measure is a word of 64 samples, and a bitwise
AND of two measures' words gives the samples in which they swap the pair.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.statistics.correlation.bootstrap import draws, round_means
from pipeline.statistics.means import Means
from pipeline.storage.arrays import Floats, Ints

WORD_BITS = 64  # samples per word
MAX_BYTES = 2**26  # memory for comparisons
MEANS_BLOCK = 2**20  # means that are compared together
SWAPS_BLOCK = 2**16  # swaps that are counted together


@dataclass(frozen=True)
class Swaps:
    """Sorted numbers of measures (a < b) and runs: a ranks run_a above run_b, b the opposite."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    run_a: NDArray[np.int32]
    run_b: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.a)


def find_swaps(values: Floats) -> Swaps:
    """All swaps, given scores of measures by runs."""
    runs = values.shape[1]
    empty = np.empty(0, np.int32)
    a, b, code = [empty], [empty], [empty]
    lower = [(y[:, None] < y[None, :]).ravel() for y in values]
    for first in range(len(values)):
        higher = np.flatnonzero(lower[first].reshape(runs, runs).T)
        for second in range(first + 1, len(values)):
            swapped = higher[lower[second][higher]]
            a.append(np.full(len(swapped), first, np.int32))
            b.append(np.full(len(swapped), second, np.int32))
            code.append(swapped.astype(np.int32))
    pair = np.concatenate(code)
    return Swaps(np.concatenate(a), np.concatenate(b), pair // runs, pair % runs)


def count_swaps(swaps: Swaps, *, measures: int) -> Ints:
    """[measure, measure]: the number of swaps, symmetric."""
    flat = np.bincount(swaps.a * measures + swaps.b, minlength=measures * measures)
    table = flat.reshape(measures, measures)
    return np.asarray(table + table.T)


def bootstrap_support(swaps: Swaps, values: Sequence[Floats], *, samples: int, seed: int) -> Floats:
    """The share of bootstrap samples in which each swap occurs; `values` are runs by topics."""
    runs, topics = values[0].shape
    weights = draws(topics, samples=samples, seed=seed)
    low, high = np.minimum(swaps.run_a, swaps.run_b), np.maximum(swaps.run_a, swaps.run_b)
    pairs, pair = np.unique(low * np.int64(runs) + high, return_inverse=True)
    order = np.argsort(pair, kind="stable")
    starts = np.searchsorted(pair[order], np.arange(len(pairs) + 1))
    support = np.empty(len(swaps))
    words = -(-samples // WORD_BITS)
    size = max(1, MAX_BYTES // (2 * len(values) * words * 8))
    for start in range(0, len(pairs), size):
        block = pairs[start : start + size]
        up, down = _bits(values, weights, block // runs, block % runs)
        block_swaps = order[starts[start] : starts[start + len(block)]]
        for first in range(0, len(block_swaps), SWAPS_BLOCK):
            chunk = block_swaps[first : first + SWAPS_BLOCK]
            a, b, index = swaps.a[chunk], swaps.b[chunk], pair[chunk] - start
            opposite = (up[a, index] & down[b, index]) | (down[a, index] & up[b, index])
            support[chunk] = np.bitwise_count(opposite).sum(axis=1, dtype=np.int64) / samples
    return support


def _bits(
    values: Sequence[Floats], weights: Floats, run_a: Ints, run_b: Ints
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """[measure, pair, word] twice: the samples with run_a above run_b, and below it."""
    bits = np.zeros((2, len(values), len(run_a), -(-len(weights) // WORD_BITS) * 8), np.uint8)
    size = max(1, MEANS_BLOCK // len(weights))
    for number, matrix in enumerate(values):
        means = np.ascontiguousarray(round_means(weights @ matrix.T).T)
        for start in range(0, len(run_a), size):
            block = slice(start, start + size)
            x, y = means[run_a[block]], means[run_b[block]]
            for side, above in enumerate((x > y, y > x)):
                packed = np.packbits(above, axis=1)
                bits[side, number, block, : packed.shape[1]] = packed
    up, down = bits.view(np.uint64)
    return up, down


def write(
    path: Path, swaps: Swaps, *, table: Means, values: Floats, support: Floats | None
) -> None:
    """Write swaps.parquet, one row per swap.

    Columns: measure_a, measure_b, run_a, run_b, difference_a (run_a minus run_b under measure_a,
    positive), difference_b (negative), share (bootstrap support, NaN without resampling).
    """
    from pipeline.storage import arrow

    a, b, run_a, run_b = swaps.a, swaps.b, swaps.run_a, swaps.run_b
    columns = {
        "measure_a": arrow.coded(a, table.measures),
        "measure_b": arrow.coded(b, table.measures),
        "run_a": arrow.coded(run_a, table.runs),
        "run_b": arrow.coded(run_b, table.runs),
        "difference_a": arrow.numbers(values[a, run_a] - values[a, run_b]),
        "difference_b": arrow.numbers(values[b, run_a] - values[b, run_b]),
        "share": arrow.numbers(np.full(len(swaps), math.nan) if support is None else support),
    }
    arrow.write(path, columns)
