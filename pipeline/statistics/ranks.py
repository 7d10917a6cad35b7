"""Ranks of runs by their scores."""

import numpy as np

from pipeline.storage.arrays import Floats, Ints

MANY = 64  # runs from which on sorting them is faster than comparing every two
EXACT = 12  # decimals that do not depend on the order in which topics are added up


def ranks(scores: Floats) -> Ints:
    """Ranks from 1, the best first, along the last axis; tied runs share the better rank.

    Means that differ by less than they can be added up to, whatever the order, are tied.
    """
    scores = np.round(scores, EXACT)
    runs = scores.shape[-1]
    if runs < MANY:
        above = scores[..., None, :] > scores[..., :, None]
        return np.asarray(1 + above.sum(axis=-1))
    flat = scores.reshape(-1, runs)
    found = np.empty(flat.shape, np.int64)
    for row, mine in enumerate(flat):  # comparing every two of a thousand runs would fill gigabytes
        known = runs - int(np.isnan(mine).sum())  # which are sorted last
        above = known - np.searchsorted(np.sort(mine), mine, side="right")
        found[row] = 1 + np.maximum(above, 0)
    return found.reshape(scores.shape)


def ranks_of(scores: Floats) -> list[int]:
    """The same of one list of runs, as plain numbers."""
    found: list[int] = ranks(scores).tolist()
    return found
