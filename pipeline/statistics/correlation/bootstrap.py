"""How sure a statistic and a swap are: the topics resampled, all measures on the same ones."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.statistics.correlation.statistic import Rankings
from pipeline.statistics.ranks import EXACT
from pipeline.storage.arrays import Floats

BLOCK = 2**20  # numbers in one block of comparisons: enough to be fast, little enough for a cache


def levelled(means: Floats) -> Floats:
    """Means without rounding dust: equal scores summed in another order must stay tied."""
    return np.round(means, EXACT)


def resampled(values: Sequence[Floats], *, samples: int, seed: int) -> Iterator[Floats]:
    """Blocks of (samples, measures, runs): means over topics drawn with replacement.

    `values` has a matrix of runs by topics for each measure, the topics in the same order.
    """
    runs, topics = values[0].shape
    rng = np.random.default_rng(seed)
    at_once = max(1, BLOCK // (len(values) * runs * runs))
    for start in range(0, samples, at_once):
        size = min(at_once, samples - start)
        drawn = rng.multinomial(topics, np.full(topics, 1 / topics), size=size) / topics
        yield levelled(np.stack([drawn @ matrix.T for matrix in values], axis=1))


Interval = tuple[Floats, Floats]


def bootstrap(
    values: Sequence[Floats],
    *,
    matrices: Mapping[str, Callable[[Rankings], Floats]],
    swapped: Mapping[tuple[int, int], NDArray[np.int64]],
    samples: int,
    seed: int,
    confidence: float = 0.95,
) -> tuple[dict[str, Interval], dict[tuple[int, int], Floats]]:
    """Percentile intervals of each statistic between every two measures, and how sure swaps are.

    `swapped` has, for two measures, an array of pairs of runs (one row each) that swap; of each
    the share of samples in which it swaps too is given. Samples in which a statistic is
    undefined are left out.
    """
    found: dict[str, list[Floats]] = {name: [] for name in matrices}
    count = {key: np.zeros(len(pairs)) for key, pairs in swapped.items()}
    for means in resampled(values, samples=samples, seed=seed):
        rankings = Rankings(means)
        for name, matrix in matrices.items():
            found[name].append(matrix(rankings))
        for (a, b), pairs in swapped.items():
            one, other = pairs.T
            by_a = means[:, a, one] - means[:, a, other]
            by_b = means[:, b, one] - means[:, b, other]
            count[a, b] += (by_a * by_b < 0).sum(axis=0)
    tail = (1 - confidence) / 2
    return (
        {name: _interval(np.concatenate(parts), tail) for name, parts in found.items()},
        {key: total / samples for key, total in count.items()},
    )


def _interval(sampled: Floats, tail: float) -> Interval:
    if np.isnan(sampled).any():
        return _defined(sampled, tail), _defined(sampled, 1 - tail)
    lower, upper = np.quantile(sampled, [tail, 1 - tail], axis=0)
    return lower, upper


def _defined(sampled: Floats, level: float) -> Floats:
    """The quantile over the samples that are defined; NaN where none is."""
    flat = sampled.reshape(len(sampled), -1).T
    kept = [column[~np.isnan(column)] for column in flat]
    found = [np.quantile(column, level) if len(column) else math.nan for column in kept]
    return np.array(found).reshape(sampled.shape[1:])
