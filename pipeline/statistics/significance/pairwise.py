"""Every two runs compared on the same topics: paired t and sign-flip permutation.

Own code because the libraries test one pair a call; here one product of the scores with a block of
random signs serves all pairs. Tests hold it against scipy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.statistics.significance.resampling import add_far
from pipeline.storage.arrays import Floats
from pipeline.storage.progress import told

Places = NDArray[np.int64]

BLOCK = 2048  # sign vectors at once, at most: a row of sums stays in the processor's cache
DRAWN = 2**22  # signs of them: with more than 2,048 topics fewer vectors
DUST = 1e-12  # relative; sums that differ by less are equal numbers added in another order


@dataclass(frozen=True)
class Differences:
    """Paired differences: `first` and `second` number the runs of each pair (first < second)."""

    first: Places
    second: Places
    mean: Floats
    deviation: Floats  # of the differences, with n - 1

    @property
    def effect(self) -> Floats:
        """Cohen's d_z: the mean in standard deviations of the differences; 0 if identical."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.mean == 0, 0.0, self.mean / self.deviation)


def differences(values: Floats) -> Differences:
    """The differences of all pairs of runs (rows) over topics (columns)."""
    runs, topics = values.shape
    first, second = np.triu_indices(runs, k=1)
    mean, deviation = np.empty(len(first)), np.empty(len(first))
    at = 0
    for run in range(runs - 1):  # a row at a time: all pairs of many runs would not fit at once
        gap = values[run] - values[run + 1 :]
        end = at + len(gap)
        mean[at:end] = gap.mean(axis=1)
        deviation[at:end] = gap.std(axis=1, ddof=1) if topics > 1 else np.nan
        at = end
    # Rounding must neither part runs that are level nor make a constant difference vary.
    dust = DUST * np.abs(values).max(initial=0.0)
    mean[np.abs(mean) <= dust] = 0.0
    deviation[deviation <= dust] = 0.0
    return Differences(first, second, mean, deviation)


def paired_t(pairs: Differences, *, topics: int, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Two-sided p of the paired t test (Student 1908), and the ends of the mean's interval.

    Level runs have p = 1; a difference that is the same on every topic has p = 0.
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

    If two runs do not differ, each topic's difference is as likely with the opposite sign. The
    count is of random signs (the same for all pairs) whose sum is at least as far from 0 as what
    was seen; so p is never 0, and 1 for identical runs.
    """
    topics = values.shape[1]
    rng = np.random.default_rng(seed)
    centred = values - values.mean(axis=0)  # the same differences, smaller rounding
    dust = DUST * np.abs(values).sum(axis=1).max(initial=0.0)
    seen = np.abs(pairs.mean) * topics - dust
    count = np.zeros(len(pairs.mean), np.int64)
    size = max(1, min(BLOCK, DRAWN // topics))
    blocks = range(0, flips, size)
    for done in told(blocks, total=len(blocks), what="significance, sign flips"):
        signs = 2.0 * rng.integers(2, size=(topics, min(size, flips - done))) - 1.0
        add_far(centred @ signs, seen, count=count)
    return (1 + count) / (flips + 1)
