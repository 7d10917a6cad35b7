"""Scores from 0 that sum to 1."""

import numpy as np

from pipeline.runs.fusion.declaration import norm
from pipeline.storage.arrays import Floats


@norm("sum", order=2, title="from 0, with sum 1")
def to_one(score: Floats) -> tuple[Floats, Floats]:
    """From the lowest, divided by what they then sum to."""
    low = np.nanmin(score, axis=1, keepdims=True)
    return low, np.nansum(score - low, axis=1, keepdims=True)
