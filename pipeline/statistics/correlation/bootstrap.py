"""Bootstrap intervals of a statistic: topics are resampled, the same ones for all measures."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from pipeline.statistics.correlation.statistic import SystemRankings
from pipeline.statistics.ranks import EXACT
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.progress import with_progress

BLOCK = 2**20  # numbers in one block of comparisons, which fits into the processor's cache
MAX_VALUES = 2**26  # sampled values of a statistic in memory: half a gigabyte
CONFIDENCE = 0.95
SORT_BLOCK = 2**22  # sampled values that are sorted together


def round_means(means: Floats) -> Floats:
    """Means without rounding errors: equal scores summed in another order must stay tied."""
    return np.round(means, EXACT)


def draws(topics: int, *, samples: int, seed: int) -> Floats:
    """[sample, topic]: the share each topic has in a sample drawn with replacement."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.multinomial(topics, np.full(topics, 1 / topics), size=samples) / topics)


Matrix = Callable[[SystemRankings], Floats]
Cells = tuple[str, Ints, Ints]  # a statistic between measures, their rows and columns


def bootstrap(
    values: Sequence[Floats],
    *,
    matrices: Mapping[str, Matrix],
    one_way: Collection[str] = (),
    samples: int,
    seed: int,
) -> dict[str, Floats]:
    """[end, row, column]: percentile intervals of each statistic between all pairs of measures.

    The ends are lower and upper; they are NaN between a measure and itself. `values` has one matrix
    of runs by topics per measure, with the topics in the same order. Statistics in `one_way` are
    not symmetric. Samples in which a statistic is undefined are ignored. Statistics and pairs of
    measures are processed in batches, so that the sampled values fit into memory.
    """
    weights = draws(values[0].shape[1], samples=samples, seed=seed)
    measures = len(values)
    above, below = np.triu_indices(measures, k=1), np.tril_indices(measures, k=-1)
    size = max(1, MAX_VALUES // samples)
    cells = [
        (name, row[start : start + size], column[start : start + size])
        for name in matrices
        for row, column in ([above, below] if name in one_way else [above])
        for start in range(0, len(row), size)
    ]
    batches: list[list[Cells]] = []  # at most `size` pairs each, which share the comparisons
    for cell in cells:
        if not batches or sum(len(row) for _, row, _ in [*batches[-1], cell]) > size:
            batches.append([])
        batches[-1].append(cell)
    ends = {name: np.full((2, measures, measures), math.nan) for name in matrices}
    for part, batch in enumerate(batches, start=1):
        what = f"correlations, resampling, part {part} of {len(batches)}"
        samples_of_cells = _sample(batch, matrices, values, weights, what=what)
        for name, row, column in batch:
            interval = _interval(samples_of_cells.pop(0), (1 - CONFIDENCE) / 2)
            ends[name][:, row, column] = interval
            if name not in one_way:
                ends[name][:, column, row] = interval
    return ends


def _sample(
    cells: Sequence[Cells],
    matrices: Mapping[str, Matrix],
    values: Sequence[Floats],
    weights: Floats,
    *,
    what: str,
) -> list[Floats]:
    """For each of `cells` [sample, pair of measures]: the statistic over the drawn topics."""
    tables = [np.empty((len(weights), len(row))) for _, row, _ in cells]
    at_once = max(1, BLOCK // (len(values) * len(values[0]) ** 2))
    starts = range(0, len(weights), at_once)
    for start in with_progress(starts, total=len(starts), task=what):
        block = weights[start : start + at_once]
        means = np.stack([block @ matrix.T for matrix in values], axis=1)
        rankings = SystemRankings(round_means(means))
        for table, (name, row, column) in zip(tables, cells, strict=True):
            flat = matrices[name](rankings).reshape(len(block), -1)
            target = table[start : start + at_once]
            np.take(flat, row * len(values) + column, axis=1, out=target, mode="clip")
    return tables


def _interval(sampled: Floats, tail: float) -> Floats:
    """[2, pair]: the quantiles over the samples in which the statistic is defined, or NaN."""
    ends = np.full((2, sampled.shape[1]), math.nan)
    size = max(1, SORT_BLOCK // len(sampled))
    for start in range(0, sampled.shape[1], size):
        block = np.ascontiguousarray(sampled[:, start : start + size].T)
        block.sort(axis=1)  # NaN last
        count = len(sampled) - np.isnan(block).sum(axis=1)
        levels = (tail, 1 - tail)
        ends[:, start : start + size] = [quantile(block, count, level) for level in levels]
    return ends


def quantile(ordered: Floats, size: Ints, level: float) -> Floats:
    """The quantile of the first `size` values of each sorted row, or NaN where `size` is 0.

    It equals `np.quantile`, which handles rows one by one and takes three times as long as sorting.
    """
    position = level * np.maximum(size - 1, 0)
    index = np.floor(position).astype(np.int64)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, index], ordered[rows, np.minimum(index + 1, size - 1)]
    step, fraction = high - low, position - index
    result = np.where(fraction < 0.5, low + step * fraction, high - step * (1 - fraction))
    return np.where(size > 0, result, np.nan)
