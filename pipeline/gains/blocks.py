"""All rankings in blocks of rows, so that intermediate arrays stay small and in the cache."""

from collections.abc import Iterator
from itertools import pairwise

from pipeline.gains.gains import Gains

MAX_CELLS = 250_000  # per block: arrays of 2 MB, which fit into a processor's cache
LANES = 16  # BLAS processes several rows at once, and remaining rows in another way


def blocks(gains: Gains, *, cells: int = MAX_CELLS) -> Iterator[Gains]:
    """The rows in order, in blocks, which share what depends on judgements alone.

    Block sizes are multiples of LANES, and remaining rows are in the last block. So sums over ranks
    are exactly those over all rows at once. The exception is the lower bound of nDCG without a
    cutoff: the ideal ranking is as long as the longest one in its block.
    """
    rows, depth = len(gains.topic), next(iter(gains.dimensions.values())).codes.shape[1]
    size = max(1, cells // max(1, depth) // LANES) * LANES
    for start, stop in pairwise([*range(0, max(1, rows - LANES + 1), size), rows]):
        block = gains.rows(slice(start, stop))
        yield block
        gains.cache.update(block.judgement_cache)
        block.cache.clear()  # its views refer to the block, which would never be freed
