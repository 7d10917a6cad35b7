"""Intervals of each run's mean over topics."""

import numpy as np

from pipeline.storage.arrays import Floats

BLOCK = 4096
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
    rng = np.random.default_rng(seed)
    drawn = [
        rng.multinomial(topics, np.full(topics, 1 / topics), size=min(BLOCK, samples - start))
        for start in range(0, samples, BLOCK)
    ]
    weights = np.concatenate(drawn).T
    ends = np.empty((2, len(values)))
    for start in range(0, len(values), ROWS):
        mine = slice(start, start + ROWS)
        means = values[mine] @ weights / topics
        ends[:, mine] = np.quantile(means, [alpha / 2, 1 - alpha / 2], axis=1)
    return ends[0], ends[1]
