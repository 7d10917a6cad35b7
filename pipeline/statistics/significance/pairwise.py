"""Paired significance tests of runs, for all pairs at once, and intervals of their means.

Fathom has its own implementation because libraries test one pair per call. Here one product of the
scores and a block of random signs serves all pairs. Importing the corrections of statsmodels takes
2 s. Tests compare the results with scipy and statsmodels.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.statistics.significance.resampling import add_far, shuffled_ranges
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.progress import with_progress

BLOCK = 2048  # sign vectors in a block, at most: a row of sums stays in the processor's cache
MAX_RANDOM = 2**22  # random numbers in a block: fewer sign vectors with more than 2,048 topics
SAMPLE_BLOCK = 4096  # bootstrap samples in a block, at most
RUN_BLOCK = 128  # runs whose means are resampled together
TOLERANCE = 1e-12  # relative: sums that differ by less are equal up to rounding


@dataclass(frozen=True)
class Differences:
    """Paired differences: `first` and `second` are the runs' numbers (first < second)."""

    first: Ints
    second: Ints
    mean: Floats
    deviation: Floats  # standard deviation of the differences, with n - 1

    @property
    def effect(self) -> Floats:
        """Cohen's d_z: mean / standard deviation of the differences; 0 for identical runs."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.mean == 0, 0.0, self.mean / self.deviation)


def differences(values: Floats) -> Differences:
    """The differences between all pairs of runs (rows) over topics (columns)."""
    runs, topics = values.shape
    first, second = np.triu_indices(runs, k=1)
    mean, deviation = np.empty(len(first)), np.empty(len(first))
    start = 0
    for run in range(runs - 1):  # row by row: all pairs of many runs would not fit into memory
        difference = values[run] - values[run + 1 :]
        end = start + len(difference)
        mean[start:end] = difference.mean(axis=1)
        deviation[start:end] = difference.std(axis=1, ddof=1) if topics > 1 else np.nan
        start = end
    # Rounding must neither separate equal runs nor give a constant difference a deviation.
    tolerance = TOLERANCE * np.abs(values).max(initial=0.0)
    mean[np.abs(mean) <= tolerance] = 0.0
    deviation[deviation <= tolerance] = 0.0
    return Differences(first, second, mean, deviation)


def paired_t(pairs: Differences, *, topics: int, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Two-sided p of the paired t test (Student 1908), and the interval of the mean difference.

    Equal means have p = 1; a difference that is the same on every topic has p = 0.
    """
    from scipy.special import stdtr, stdtrit

    error = pairs.deviation / np.sqrt(topics)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(pairs.mean == 0, 0.0, np.abs(pairs.mean) / error)
    p = 2 * stdtr(topics - 1, -t)
    p[np.isnan(error)] = np.nan
    half = stdtrit(topics - 1, 1 - alpha / 2) * error
    return p, pairs.mean - half, pairs.mean + half


def permutation(values: Floats, pairs: Differences, *, flips: int, seed: int) -> Floats:
    """Two-sided p of the paired permutation test (Fisher 1935): (1 + count) / (flips + 1).

    If two runs do not differ, each topic's difference is equally likely with the opposite sign. The
    count is the number of random sign vectors (the same for all pairs) whose sum is at least as far
    from 0 as the observed sum. So p is never 0, and it is 1 for identical runs.
    """
    topics = values.shape[1]
    rng = np.random.default_rng(seed)
    centred = values - values.mean(axis=0)  # the same differences, smaller rounding errors
    tolerance = TOLERANCE * np.abs(values).sum(axis=1).max(initial=0.0)
    threshold = np.abs(pairs.mean) * topics - tolerance
    count = np.zeros(len(pairs.mean), np.int64)
    size = max(1, min(BLOCK, MAX_RANDOM // topics))
    blocks = range(0, flips, size)
    for done in with_progress(blocks, total=len(blocks), task="significance, sign flips"):
        signs = 2.0 * rng.integers(2, size=(topics, min(size, flips - done))) - 1.0
        add_far(centred @ signs, threshold, count=count)
    return (1 + count) / (flips + 1)


def holm(p: Floats) -> Floats:
    """Holm (1979): controls the family-wise error rate.

    The smallest of four p values is multiplied by 4, the next by 3, and so on; adjusted p values
    never decrease:

    >>> holm(np.array([0.25, 0.01, 0.015, 0.02])).round(6).tolist()
    [0.25, 0.04, 0.045, 0.045]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    return np.minimum(np.maximum.accumulate(scaled), 1.0)[np.argsort(order)]


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini & Hochberg (1995): controls the false discovery rate.

    The smallest of four p values is multiplied by 4/1, the next by 4/2, 4/3, 4/4; none exceeds the
    next one:

    >>> benjamini_hochberg(np.array([0.25, 0.01, 0.015, 0.018])).round(6).tolist()
    [0.25, 0.024, 0.024, 0.024]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)[np.argsort(order)]


def ranges(values: Floats, *, permutations: int, seed: int) -> Floats:
    """Best minus worst mean under the null hypothesis, sorted: scores are shuffled within topics.

    The distribution of the largest difference if no run differs (Carterette, TOIS 2012, 5.2).
    """
    return np.sort(shuffled_ranges(values, shuffles=permutations, seed=seed) / values.shape[1])


def tukey(largest: Floats, pairs: Differences) -> Floats:
    """The p of each pair, corrected for all pairs: (1 + ranges at least as large) / (B + 1)."""
    observed = np.abs(pairs.mean) * (1 - TOLERANCE)
    observed[pairs.mean == 0] = -1.0  # equal means have p = 1
    count = len(largest) - np.searchsorted(largest, observed, side="left")
    return np.asarray((1 + count) / (len(largest) + 1))


def critical(largest: Floats, *, alpha: float) -> float:
    """The critical difference: runs whose means differ by more differ significantly at `alpha`."""
    allowed = int(np.floor(alpha * (len(largest) + 1) + 1e-9)) - 1  # largest count with p <= alpha
    return float(largest[len(largest) - allowed - 1]) if 0 <= allowed < len(largest) else np.inf


def groups(means: Floats, different: Bools) -> list[Ints]:
    """The maximal groups of runs of which no two are `different`, best first; they may overlap.

    `different` (runs by runs) must be monotone in the difference of the means, as Tukey's HSD is.
    Then each group is a range of the ranking, and the number of groups is minimal (Piepho 2004
    treats the general case).
    """
    order = np.argsort(-means, kind="stable")
    result: list[Ints] = []
    reached = 0
    for start in range(len(order)):
        row = different[order[start], order[start:]]
        end = start + (int(np.argmax(row)) if row.any() else len(row))
        if end > reached:
            result.append(order[start:end])
            reached = end
    return result


def by_t(values: Floats, *, alpha: float) -> tuple[Floats, Floats]:
    """Student's t interval of each row's mean; NaN with a single topic."""
    from scipy.special import stdtrit

    topics = values.shape[1]
    deviation = values.std(axis=1, ddof=1) if topics > 1 else np.full(len(values), np.nan)
    half = stdtrit(max(topics - 1, 1), 1 - alpha / 2) * deviation / np.sqrt(topics)
    mean = values.mean(axis=1)
    return mean - half, mean + half


def by_bootstrap(values: Floats, *, samples: int, alpha: float, seed: int) -> tuple[Floats, Floats]:
    """Percentile interval of each row's mean, from topics drawn with replacement (Efron 1979)."""
    topics = values.shape[1]
    even = np.full(topics, 1 / topics)
    step = max(1, min(SAMPLE_BLOCK, MAX_RANDOM // topics))
    ends = np.empty((2, len(values)))
    for first in range(0, len(values), RUN_BLOCK):
        block = slice(first, first + RUN_BLOCK)
        rng = np.random.default_rng(seed)  # the same samples for all runs
        means = np.empty((len(values[block]), samples))
        for start in range(0, samples, step):
            counts = rng.multinomial(topics, even, size=min(step, samples - start))
            means[:, start : start + len(counts)] = values[block] @ counts.T / topics
        ends[:, block] = np.quantile(means, [alpha / 2, 1 - alpha / 2], axis=1)
    return ends[0], ends[1]
