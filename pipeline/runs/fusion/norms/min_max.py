"""Scores from 0 to 1."""

import numpy as np

from pipeline.runs.fusion.declaration import norm
from pipeline.storage.arrays import Floats


@norm("min_max", order=1, title="from 0 to 1")
def min_max(score: Floats) -> tuple[Floats, Floats]:
    """From the lowest to the highest."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nanmax(score, axis=1, keepdims=True) - low
