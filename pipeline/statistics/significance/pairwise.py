"""Tests of runs on the same topics: pairwise, for all pairs at once, and intervals of the means.

Our own because the libraries test one pair per call; here one product of the scores with a block
of random signs serves all pairs. Tests hold it against scipy.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.statistics.significance.resampling import add_far, shuffled_ranges
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.progress import with_progress

BLOCK = 2048  # sign vectors at once, at most: a row of sums stays in the processor's cache
DRAWN = 2**22  # random numbers at once: with more than 2,048 topics fewer vectors
SAMPLES = 4096  # bootstrap samples at once, at most
ROWS = 128  # runs whose means are resampled at once
DUST = 1e-12  # relative; sums that differ by less are equal numbers added in another order


@dataclass(frozen=True)
class Differences:
    """Paired differences: `first` and `second` number the runs of each pair (first < second)."""

    first: Ints
    second: Ints
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
    for done in with_progress(blocks, total=len(blocks), task="significance, sign flips"):
        signs = 2.0 * rng.integers(2, size=(topics, min(size, flips - done))) - 1.0
        add_far(centred @ signs, seen, count=count)
    return (1 + count) / (flips + 1)


# ---- corrections for many tests (statsmodels has them too; importing it costs a job 2 s)


def holm(p: Floats) -> Floats:
    """Holm (1979): keeps the chance of any false finding among all tests below alpha.

    The smallest of four counts four times, the next three times, and never less than one before:

    >>> holm(np.array([0.25, 0.01, 0.015, 0.02])).round(6).tolist()
    [0.25, 0.04, 0.045, 0.045]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    return np.minimum(np.maximum.accumulate(scaled), 1.0)[np.argsort(order)]


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini & Hochberg (1995): keeps the expected share of false findings below alpha.

    The smallest of four counts 4/1 times, the next 4/2, 4/3, 4/4, and never more than one behind:

    >>> benjamini_hochberg(np.array([0.25, 0.01, 0.015, 0.018])).round(6).tolist()
    [0.25, 0.024, 0.024, 0.024]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)[np.argsort(order)]


# ---- randomised Tukey HSD, and the groups of runs that do not differ


def ranges(values: Floats, *, permutations: int, seed: int) -> Floats:
    """Best minus worst mean, sorted, with the runs shuffled within each topic.

    Carterette (TOIS 2012), section 5.2: what the largest of all differences is if no run differs.
    """
    found = shuffled_ranges(values, shuffles=permutations, seed=seed)
    return np.sort(found / values.shape[1])


def tukey(largest: Floats, pairs: Differences) -> Floats:
    """The p of each pair: (1 + count of largest differences at least as large) / (B + 1).

    It holds for all pairs together: no further correction is due.
    """
    seen = np.abs(pairs.mean) * (1 - DUST)
    seen[pairs.mean == 0] = -1.0  # level runs have p = 1
    count = len(largest) - np.searchsorted(largest, seen, side="left")
    return np.asarray((1 + count) / (len(largest) + 1))


def critical(largest: Floats, *, alpha: float) -> float:
    """The difference above which two runs are told apart at `alpha`."""
    allowed = int(np.floor(alpha * (len(largest) + 1) + 1e-9)) - 1  # largest count with p <= alpha
    return float(largest[len(largest) - allowed - 1]) if 0 <= allowed < len(largest) else np.inf


def groups(means: Floats, apart: Bools) -> list[Ints]:
    """The longest groups of runs of which no two are `apart`, from the best; they may overlap.

    `apart` (runs by runs) must grow with the difference of the means, as Tukey's does; then each
    group is a stretch of the ranking, and no set of groups could be smaller (Piepho 2004 treats
    the general case).
    """
    order = np.argsort(-means, kind="stable")
    found: list[Ints] = []
    reached = 0
    for start in range(len(order)):
        stretch = apart[order[start], order[start:]]
        end = start + (int(np.argmax(stretch)) if stretch.any() else len(stretch))
        if end > reached:
            found.append(order[start:end])
            reached = end
    return found


# ---- intervals of each run's mean over topics


def by_t(values: Floats, *, alpha: float) -> tuple[Floats, Floats]:
    """Student's t interval of each row's mean; NaN with a single topic."""
    from scipy.special import stdtrit

    topics = values.shape[1]
    if topics < 2:
        blank = np.full(len(values), np.nan)
        return blank, blank
    half = stdtrit(topics - 1, 1 - alpha / 2) * values.std(axis=1, ddof=1) / np.sqrt(topics)
    mean = values.mean(axis=1)
    return mean - half, mean + half


def by_bootstrap(values: Floats, *, samples: int, alpha: float, seed: int) -> tuple[Floats, Floats]:
    """Percentile interval of each row's mean, the topics drawn with replacement (Efron 1979)."""
    topics = values.shape[1]
    even = np.full(topics, 1 / topics)
    block = max(1, min(SAMPLES, DRAWN // topics))
    ends = np.empty((2, len(values)))
    for first in range(0, len(values), ROWS):
        mine = slice(first, first + ROWS)
        rng = np.random.default_rng(seed)  # the same samples for all: drawing costs less than room
        means = np.empty((len(values[mine]), samples))
        for start in range(0, samples, block):
            drawn = rng.multinomial(topics, even, size=min(block, samples - start))
            means[:, start : start + len(drawn)] = values[mine] @ drawn.T / topics
        ends[:, mine] = np.quantile(means, [alpha / 2, 1 - alpha / 2], axis=1)
    return ends[0], ends[1]
