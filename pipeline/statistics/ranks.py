"""Ranks of runs by their scores."""

import numpy as np

from pipeline.storage.arrays import Floats, Ints


def ranks(scores: Floats) -> Ints:
    """Ranks from 1, the best first, along the last axis; tied runs share the better rank."""
    above = scores[..., None, :] > scores[..., :, None]
    return np.asarray(1 + above.sum(axis=-1))


def ranks_of(scores: Floats) -> list[int]:
    """The same of one list of runs, as plain numbers."""
    found: list[int] = ranks(scores).tolist()
    return found
