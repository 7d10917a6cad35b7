"""Compare many runs under several measures in C (`_orders.c`), where it was compiled.

The matrix products of `statistic.SystemRankings` compare all pairs of runs and all depths. They are
fast for a hundred runs, but take a hundred times as long for a thousand; this code takes about ten
times as long. Tests compare the two.
"""

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats
from pipeline.storage.c_sources import compiled

MIN_RUNS = 128  # from this many runs on the C code is faster
SHARE_KINDS = {"share": 0, "unit": 1, "whole": 2}
Places = NDArray[np.int32]


def extension() -> ModuleType | None:
    """The compiled module, or None where it was not built."""
    return compiled("pipeline.statistics.correlation._orders", "orders")


def places(scores: Floats) -> tuple[Places, Places]:
    """(..., run) twice: how many runs score strictly higher, and how many the same."""
    first, size = np.empty((2, *scores.shape), np.int32)
    for index in np.ndindex(*scores.shape[:-1]):
        ordered = np.sort(scores[index])
        lower, upper = (np.searchsorted(ordered, scores[index], side) for side in ("left", "right"))
        first[index], size[index] = len(ordered) - upper, upper - lower
    return first, size


def count_pairs(first: Places, size: Places, weight: Floats) -> tuple[Floats, Floats]:
    """(..., a, b) twice: con- and discordant pairs, by the weight of the run that b ranks lower."""
    module = extension()
    assert module is not None
    *samples, measures, runs = first.shape
    sums = np.empty((2, *samples, measures, measures))
    for index in np.ndindex(*samples):
        weights = np.ascontiguousarray(weight[index])
        module.weighed(
            first[index], size[index], measures, runs, weights, sums[0][index], sums[1][index]
        )
    return sums[0], sums[1]


def overlaps(first: Places, size: Places, weights: Floats, *, kind: str) -> Floats:
    """(..., a, b): the overlap of the top sets of a and b, summed over depths by their weights.

    `kind` is how much a run belongs to a set. `share`: its probability, ties broken at random.
    `unit`: the shares at a depth, scaled to a vector of length 1. `whole`: 1 from the top rank of
    its tie group on, and the overlap is divided by the mean size of the two sets.
    """
    module = extension()
    assert module is not None
    *samples, measures, runs = first.shape
    depth_weights = np.zeros(runs)
    depth_weights[: len(weights)] = weights
    sums = np.empty((*samples, measures, measures))
    for index in np.ndindex(*samples):
        module.overlaps(
            first[index], size[index], measures, runs, depth_weights, SHARE_KINDS[kind], sums[index]
        )
    return sums
