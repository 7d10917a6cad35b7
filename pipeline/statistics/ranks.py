"""Ranks of runs by their scores."""

import numpy as np

from pipeline.storage.arrays import Floats, Ints

EXACT = 12  # decimals of a mean that do not depend on the order in which topics are summed


def ranks(scores: Floats) -> Ints:
    """Ranks along the last axis, from 1; runs tied up to rounding errors share the better rank."""
    scores = np.round(scores, EXACT)
    result = np.empty(scores.shape, np.int64)
    for index in np.ndindex(*scores.shape[:-1]):  # all pairs at once could need gigabytes
        ordered = np.sort(scores[index])
        defined = len(ordered) - int(np.isnan(ordered).sum())  # NaN is last
        above = defined - np.searchsorted(ordered, scores[index], side="right")
        result[index] = 1 + np.maximum(above, 0)
    return result


def ranks_of(scores: Floats) -> list[int]:
    """Ranks of one vector of scores, as a list of integers."""
    return [int(rank) for rank in ranks(scores)]
