"""How sure a statistic is: the topics resampled, all measures on the same ones."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from pipeline.statistics.correlation.statistic import Rankings
from pipeline.statistics.ranks import EXACT
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.progress import with_progress

BLOCK = 2**20  # numbers in one block of comparisons: enough to be fast, little enough for a cache
KEPT = 2**26  # sampled values of a statistic at once: half a gigabyte
CONFIDENCE = 0.95
SORTED = 2**22  # of which so many are sorted at once


def levelled(means: Floats) -> Floats:
    """Means without rounding dust: equal scores summed in another order must stay tied."""
    return np.round(means, EXACT)


def draws(topics: int, *, samples: int, seed: int) -> Floats:
    """[sample, topic]: the share each topic has in a sample drawn with replacement."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.multinomial(topics, np.full(topics, 1 / topics), size=samples) / topics)


Matrix = Callable[[Rankings], Floats]
Wanted = tuple[str, Ints, Ints]  # a statistic between measures, their rows and columns


def bootstrap(
    values: Sequence[Floats],
    *,
    matrices: Mapping[str, Matrix],
    one_way: Collection[str] = (),
    samples: int,
    seed: int,
) -> dict[str, Floats]:
    """[end, row, column]: percentile intervals of each statistic between every two measures.

    The ends are lower and upper, NaN of a measure with itself. `values` has a matrix of runs by
    topics for each measure, the topics in the same order. Statistics in `one_way` are not
    symmetric. Samples in which one is undefined are left out. Only so many statistics and pairs of
    measures at a time that the sampled values fit into memory.
    """
    drawn = draws(values[0].shape[1], samples=samples, seed=seed)
    measures = len(values)
    above, below = np.triu_indices(measures, k=1), np.tril_indices(measures, k=-1)
    size = max(1, KEPT // samples)
    wanted = [
        (name, row[start : start + size], column[start : start + size])
        for name in matrices
        for row, column in ([above, below] if name in one_way else [above])
        for start in range(0, len(row), size)
    ]
    together: list[list[Wanted]] = []  # at most `size` pairs each: comparisons serve all of them
    for one in wanted:
        if not together or sum(len(row) for _, row, _ in [*together[-1], one]) > size:
            together.append([])
        together[-1].append(one)
    ends = {name: np.full((2, measures, measures), math.nan) for name in matrices}
    for part, some in enumerate(together, start=1):
        what = f"correlations, resampling, part {part} of {len(together)}"
        sampled = _sampled(some, matrices, values, drawn, what=what)
        for name, row, column in some:
            found = _interval(sampled.pop(0), (1 - CONFIDENCE) / 2)
            ends[name][:, row, column] = found
            if name not in one_way:
                ends[name][:, column, row] = found
    return ends


def _sampled(
    wanted: Sequence[Wanted],
    matrices: Mapping[str, Matrix],
    values: Sequence[Floats],
    drawn: Floats,
    *,
    what: str,
) -> list[Floats]:
    """For each wanted [sample, pair of measures]: the statistic over topics drawn."""
    found = [np.empty((len(drawn), len(row))) for _, row, _ in wanted]
    at_once = max(1, BLOCK // (len(values) * len(values[0]) ** 2))
    starts = range(0, len(drawn), at_once)
    for start in with_progress(starts, total=len(starts), task=what):
        some = drawn[start : start + at_once]
        rankings = Rankings(levelled(np.stack([some @ matrix.T for matrix in values], axis=1)))
        for table, (name, row, column) in zip(found, wanted, strict=True):
            flat = matrices[name](rankings).reshape(len(some), -1)
            out = table[start : start + at_once]
            np.take(flat, row * len(values) + column, axis=1, out=out, mode="clip")
    return found


def _interval(sampled: Floats, tail: float) -> Floats:
    """[2, pair]: the quantiles over the samples that are defined; NaN where none is."""
    ends = np.full((2, sampled.shape[1]), math.nan)
    size = max(1, SORTED // len(sampled))
    for start in range(0, sampled.shape[1], size):
        some = np.ascontiguousarray(sampled[:, start : start + size].T)
        some.sort(axis=1)  # NaN last
        defined = len(sampled) - np.isnan(some).sum(axis=1)
        ends[:, start : start + size] = [quantile(some, defined, at) for at in (tail, 1 - tail)]
    return ends


def quantile(ordered: Floats, number: Ints, level: float) -> Floats:
    """The quantile of the first `number` of each sorted row, NaN of none, as `np.quantile` has it.

    Which would sort out each row's quantiles alone, and that takes three times as long as sorting.
    """
    place = level * np.maximum(number - 1, 0)
    below = np.floor(place).astype(np.int64)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, below], ordered[rows, np.minimum(below + 1, number - 1)]
    step, way = high - low, place - below
    return np.where(
        number > 0, np.where(way < 0.5, low + step * way, high - step * (1 - way)), np.nan
    )
