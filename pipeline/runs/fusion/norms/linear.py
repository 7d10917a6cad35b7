"""Normalisations that shift the scores of each run and divide them by a number."""

import numpy as np

from pipeline.runs.fusion.declaration import norm
from pipeline.storage.arrays import Floats


@norm("min_max", order=1, title="from 0 to 1")
def min_max(score: Floats) -> tuple[Floats, Floats]:
    """Subtract the minimum, divide by the range."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nanmax(score, axis=1, keepdims=True) - low


@norm("sum", order=2, title="from 0, with sum 1")
def to_one(score: Floats) -> tuple[Floats, Floats]:
    """Subtract the minimum, divide by the sum."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nansum(score - low, axis=1, keepdims=True)


@norm("z_score", order=3, title="mean 0, standard deviation 1")
def z_score(score: Floats) -> tuple[Floats, Floats]:
    """Subtract the mean, divide by the standard deviation (of the population)."""
    return np.nanmean(score, axis=1, keepdims=True), np.nanstd(score, axis=1, keepdims=True)


@norm("none", order=4, title="as they are")
def none(score: Floats) -> tuple[Floats, Floats]:
    """Leave the scores unchanged."""
    return np.zeros((len(score), 1)), np.ones((len(score), 1))
