"""Intervals of each run's mean over topics."""

import numpy as np

from pipeline.storage.arrays import Floats

BLOCK = 4096  # samples at once, at most
DRAWN = 2**22  # numbers of them: with many topics fewer samples
ROWS = 128  # runs at once


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
    block = max(1, min(BLOCK, DRAWN // topics))
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
