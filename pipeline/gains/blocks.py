"""All rankings some at a time, so that what is computed on the way stays small and near."""

from collections.abc import Iterator
from itertools import pairwise

from pipeline.gains.gains import Gains

CELLS = 250_000  # of a block: arrays of 2 MB, which a processor keeps at hand
LANES = 16  # BLAS takes rows a few at once, and those left over otherwise


def blocks(gains: Gains, *, cells: int = CELLS) -> Iterator[Gains]:
    """The rows in order, some at a time; what depends on judgements alone is made once for all.

    Blocks hold whole lanes, and rows left over are in the last one, as they are in the whole: so
    a sum over ranks is added up as it would be there, to the last bit. (Not so the lower bound of
    nDCG without a cutoff, whose ideal list is as long as the longest of its block needs.)
    """
    rows, depth = len(gains.topic), next(iter(gains.dimensions.values())).codes.shape[1]
    size = max(1, cells // max(1, depth) // LANES) * LANES
    ends = [*range(0, max(1, rows - LANES + 1), size), rows]
    for start, stop in pairwise(ends):
        some = gains.rows(slice(start, stop))
        yield some
        gains.cache.update(some.lasting)
        some.cache.clear()  # views there hold the block in turn, so nothing else would free it
