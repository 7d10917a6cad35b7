"""Many runs under several measures compared in C (`_orders.c`), where it was compiled.

The products of `statistic.Rankings` compare all pairs of runs and all depths: fast for a hundred
runs, but a thousand would take a hundred times as long. Here the cost of a thousand is some ten
times that of a hundred. The tests hold the two against each other.
"""

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats
from pipeline.storage.c_sources import compiled

MANY = 128  # runs from which on this is the faster way
KINDS = {"share": 0, "unit": 1, "whole": 2}
Places = NDArray[np.int32]


def extension() -> ModuleType | None:
    """The compiled module, None where it was not built."""
    return compiled("pipeline.statistics.correlation._orders", "orders")


def places(scores: Floats) -> tuple[Places, Places]:
    """(..., run) twice: how many runs score strictly higher, and how many the same."""
    first, size = np.empty((2, *scores.shape), np.int32)
    for at in np.ndindex(*scores.shape[:-1]):
        ordered = np.sort(scores[at])
        lower, upper = (np.searchsorted(ordered, scores[at], side) for side in ("left", "right"))
        first[at], size[at] = len(ordered) - upper, upper - lower
    return first, size


def weighed(first: Places, size: Places, weight: Floats) -> tuple[Floats, Floats]:
    """(..., a, b) twice: pairs of runs that a and b order alike, and oppositely.

    A pair counts as much as the weight under b of the run that b puts below.
    """
    module = extension()
    assert module is not None
    *samples, measures, runs = first.shape
    found = np.empty((2, *samples, measures, measures))
    for at in np.ndindex(*samples):
        mine = np.ascontiguousarray(weight[at])
        module.weighed(first[at], size[at], measures, runs, mine, found[0][at], found[1][at])
    return found[0], found[1]


def overlaps(first: Places, size: Places, weights: Floats, *, kind: str) -> Floats:
    """(..., a, b): what the top sets of a and b share, summed over depths by their weights.

    `kind` says what a run adds to its set: its `share`, ties broken at random; that scaled to
    vectors of one length (`unit`); or all, a tied group being in as soon as its first (`whole`),
    of what is then in both on average.
    """
    module = extension()
    assert module is not None
    *samples, measures, runs = first.shape
    every = np.zeros(runs)
    every[: len(weights)] = weights
    found = np.empty((*samples, measures, measures))
    for at in np.ndindex(*samples):
        module.overlaps(first[at], size[at], measures, runs, every, KINDS[kind], found[at])
    return found
