"""The inner loops of the resampling tests, for all runs at once: sign flips and shuffles.

They run in C where it was compiled (`_resampling.c`): a thousand runs and 200,000 flips are 10^11
comparisons, each of which numpy would write to memory four times. Otherwise numpy gives exactly the
same results, as tests check.
"""

from types import ModuleType

import numpy as np

from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.c_sources import compiled

BLOCK = 2**18  # scores that numpy shuffles together
MIN_RANDOM = 2**14  # random numbers in a block, at least: they stay in the processor's cache


def extension() -> ModuleType | None:
    """The compiled module, or None where it was not built."""
    return compiled("pipeline.statistics.significance._resampling", "resampling")


def add_far(sums: Floats, threshold: Floats, *, count: Ints) -> None:
    """Add to `count` [pair of runs] the flips whose sums differ by at least `threshold`.

    `sums` has one row per run and one column per flip; pairs are in the order of `np.triu_indices`.
    """
    module = extension()
    if module is not None:
        module.add_far(sums, len(sums), threshold, count)
        return
    start = 0
    for run in range(len(sums) - 1):
        difference = sums[run + 1 :] - sums[run]
        np.abs(difference, out=difference)
        pairs = slice(start, start + len(difference))
        far = (difference >= threshold[pairs, None]).view(np.int8)
        count[pairs] += far.sum(axis=1, dtype=np.int32)  # half the time of count_nonzero
        start = pairs.stop


def shuffled_ranges(values: Floats, *, shuffles: int, seed: int) -> Floats:
    """[shuffle]: largest minus smallest sum of a run, with the scores shuffled within topics."""
    module = extension()
    rng = np.random.default_rng(seed)
    columns = np.ascontiguousarray(values.T)
    spans = np.empty(shuffles)
    done = 0
    if module is not None:
        # The numbers that `permuted` below would draw: halves of 64-bit numbers.
        unused = np.empty(0, "<u4")
        while done < shuffles:
            words = rng.bit_generator.random_raw(max(MIN_RANDOM, values.size))
            numbers = np.concatenate([unused, words.astype("<u8", copy=False).view("<u4")])
            done, used = module.shuffled_ranges(columns, len(values), numbers, spans, done)
            unused = numbers[used:]
        return spans
    while done < shuffles:
        size = min(max(1, BLOCK // values.size), shuffles - done)
        shuffled = np.broadcast_to(columns, (size, *columns.shape)).copy()
        rng.permuted(shuffled, axis=2, out=shuffled)
        spans[done : done + size] = np.ptp(shuffled.sum(axis=1), axis=1)
        done += size
    return spans
