"""Corrections for many tests at once (statsmodels has them too; importing it costs a job 2 s)."""

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats


def holm(p: Floats) -> Floats:
    """Holm (1979): keeps the chance of any false finding among all tests below alpha.

    The smallest of four counts four times, the next three times, and never less than one before:

    >>> holm(np.array([0.25, 0.01, 0.015, 0.02])).round(6).tolist()
    [0.25, 0.04, 0.045, 0.045]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    return _placed(np.minimum(np.maximum.accumulate(scaled), 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini & Hochberg (1995): keeps the expected share of false findings below alpha.

    The smallest of four counts 4/1 times, the next 4/2, 4/3, 4/4, and never more than one behind:

    >>> benjamini_hochberg(np.array([0.25, 0.01, 0.015, 0.018])).round(6).tolist()
    [0.25, 0.024, 0.024, 0.024]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return _placed(np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0), order)


def _placed(values: Floats, order: NDArray[np.int64]) -> Floats:
    placed = np.empty_like(values)
    placed[order] = values
    return placed
