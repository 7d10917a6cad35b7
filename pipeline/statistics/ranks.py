"""Ranks of runs by their scores."""

import numpy as np

from pipeline.storage.arrays import Floats, Ints

EXACT = 12  # decimals that do not depend on the order in which topics are added up


def ranks(scores: Floats) -> Ints:
    """Ranks from 1, the best first, along the last axis; tied runs share the better rank.

    Means that differ by less than they can be added up to, whatever the order, are tied.
    """
    scores = np.round(scores, EXACT)
    found = np.empty(scores.shape, np.int64)
    for at in np.ndindex(*scores.shape[:-1]):  # comparing every two of many would fill gigabytes
        ordered = np.sort(scores[at])
        known = len(ordered) - int(np.isnan(ordered).sum())  # which are sorted last
        above = known - np.searchsorted(ordered, scores[at], side="right")
        found[at] = 1 + np.maximum(above, 0)
    return found


def ranks_of(scores: Floats) -> list[int]:
    """The same of one list of runs, as plain numbers."""
    found: list[int] = ranks(scores).tolist()
    return found
