"""Ranks of runs by their scores."""

import numpy as np

from pipeline.storage.arrays import Floats, Ints

EXACT = 12  # decimals that do not depend on the order in which topics are added up


def ranks(scores: Floats) -> Ints:
    """Ranks from 1, the best first, along the last axis; tied runs share the better rank.

    Means that differ by less than they can be added up to, whatever the order, are tied.
    """
    scores = np.round(scores, EXACT)
    above = scores[..., None, :] > scores[..., :, None]
    return np.asarray(1 + above.sum(axis=-1))


def ranks_of(scores: Floats) -> list[int]:
    """The same of one list of runs, as plain numbers."""
    found: list[int] = ranks(scores).tolist()
    return found
