"""The inner loops of the tests by resampling, of all runs at once: sign flips and shuffles.

In C where it was compiled (`_resampling.c`): a thousand runs on 200,000 flips are 10^11
comparisons, of which numpy would write each to memory four times. Else in numpy, with the same
result to the last bit, the tests say.
"""

from types import ModuleType

import numpy as np

from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.c_sources import compiled

BLOCK = 2**18  # scores that numpy shuffles at once
DRAWN = 2**14  # random numbers at once, at least: they stay in the processor's cache


def extension() -> ModuleType | None:
    """The compiled module, None where it was not built."""
    return compiled("pipeline.statistics.significance._resampling", "resampling")


def add_far(sums: Floats, least: Floats, *, count: Ints) -> None:
    """Add to `count`, a number a pair of runs, the flips whose sums differ by at least `least`.

    `sums` has a row a run and a column a flip; pairs are in the order of `np.triu_indices`.
    """
    module = extension()
    if module is not None:
        module.add_far(sums, len(sums), least, count)
        return
    at = 0
    for run in range(len(sums) - 1):
        gap = sums[run + 1 :] - sums[run]
        np.abs(gap, out=gap)
        mine = slice(at, at + len(gap))
        far = (gap >= least[mine, None]).view(np.int8)
        count[mine] += far.sum(axis=1, dtype=np.int32)  # half the time of count_nonzero
        at = mine.stop


def shuffled_ranges(values: Floats, *, shuffles: int, seed: int) -> Floats:
    """Largest less smallest sum of a run, with the scores of each topic shuffled over the runs."""
    module = extension()
    rng = np.random.default_rng(seed)
    columns = np.ascontiguousarray(values.T)
    found = np.empty(shuffles)
    done = 0
    if module is not None:
        # The numbers that `permuted` below would draw, each half of a 64-bit one.
        left = np.empty(0, "<u4")
        while done < shuffles:
            more = rng.bit_generator.random_raw(max(DRAWN, values.size))
            drawn = np.concatenate([left, more.astype("<u8", copy=False).view("<u4")])
            done, used = module.shuffled_ranges(columns, len(values), drawn, found, done)
            left = drawn[used:]
        return found
    while done < shuffles:
        size = min(max(1, BLOCK // values.size), shuffles - done)
        shuffled = np.broadcast_to(columns, (size, *columns.shape)).copy()
        rng.permuted(shuffled, axis=2, out=shuffled)
        found[done : done + size] = np.ptp(shuffled.sum(axis=1), axis=1)
        done += size
    return found
