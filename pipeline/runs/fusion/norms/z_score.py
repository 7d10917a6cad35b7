"""Scores in standard deviations from their mean."""

import numpy as np

from pipeline.runs.fusion.declaration import norm
from pipeline.storage.arrays import Floats


@norm("z_score", order=3, title="mean 0, standard deviation 1")
def z_score(score: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation (of the population) of each run."""
    return np.nanmean(score, axis=1, keepdims=True), np.nanstd(score, axis=1, keepdims=True)
