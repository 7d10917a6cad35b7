"""Randomised Tukey HSD, and the groups of runs it cannot tell apart."""

import numpy as np
from numpy.typing import NDArray

from pipeline.statistics.significance.pairwise import DUST, Differences
from pipeline.statistics.significance.resampling import shuffled_ranges
from pipeline.storage.arrays import Floats


def ranges(values: Floats, *, permutations: int, seed: int) -> Floats:
    """Best minus worst mean, sorted, with the runs shuffled within each topic.

    Carterette (TOIS 2012), section 5.2: what the largest of all differences is if no run differs.
    """
    found = shuffled_ranges(values, shuffles=permutations, seed=seed)
    return np.sort(found / values.shape[1])


def tukey(largest: Floats, pairs: Differences) -> Floats:
    """The p of each pair: (1 + count of largest differences at least as large) / (B + 1).

    It holds for all pairs together: no further correction is due.
    """
    seen = np.abs(pairs.mean) * (1 - DUST)
    seen[pairs.mean == 0] = -1.0  # level runs have p = 1
    count = len(largest) - np.searchsorted(largest, seen, side="left")
    return np.asarray((1 + count) / (len(largest) + 1))


def critical(largest: Floats, *, alpha: float) -> float:
    """The difference above which two runs are told apart at `alpha`."""
    allowed = int(np.floor(alpha * (len(largest) + 1) + 1e-9)) - 1  # largest count with p <= alpha
    return float(largest[len(largest) - allowed - 1]) if 0 <= allowed < len(largest) else np.inf


def groups(means: Floats, apart: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The longest groups of runs of which no two are `apart`, from the best; they may overlap.

    `apart` (runs by runs) must grow with the difference of the means, as Tukey's does; then each
    group is a stretch of the ranking, and no set of groups could be smaller (Piepho 2004 treats
    the general case).
    """
    order = np.argsort(-means, kind="stable")
    found: list[NDArray[np.int64]] = []
    reached = 0
    for start in range(len(order)):
        stretch = apart[order[start], order[start:]]
        end = start + (int(np.argmax(stretch)) if stretch.any() else len(stretch))
        if end > reached:
            found.append(order[start:end])
            reached = end
    return found
