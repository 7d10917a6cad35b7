"""Norms that shift the scores of each run and divide them by one number."""

import numpy as np

from pipeline.runs.fusion.declaration import norm
from pipeline.storage.arrays import Floats


@norm("min_max", order=1, title="from 0 to 1")
def min_max(score: Floats) -> tuple[Floats, Floats]:
    """From the lowest to the highest."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nanmax(score, axis=1, keepdims=True) - low


@norm("sum", order=2, title="from 0, with sum 1")
def to_one(score: Floats) -> tuple[Floats, Floats]:
    """From the lowest, divided by what they then sum to."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nansum(score - low, axis=1, keepdims=True)


@norm("z_score", order=3, title="mean 0, standard deviation 1")
def z_score(score: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation (of the population) of each run."""
    return np.nanmean(score, axis=1, keepdims=True), np.nanstd(score, axis=1, keepdims=True)


@norm("none", order=4, title="as they are")
def none(score: Floats) -> tuple[Floats, Floats]:
    """Nothing is taken away, and the rest divided by 1."""
    return np.zeros((len(score), 1)), np.ones((len(score), 1))
