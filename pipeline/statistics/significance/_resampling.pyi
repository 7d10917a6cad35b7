"""The inner loops of the tests by resampling, `_resampling.c`."""

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats, Ints

SOURCES_DIGEST: str

def add_far(sums: Floats, runs: int, least: Floats, count: Ints) -> None: ...
def shuffled_ranges(
    columns: Floats, runs: int, drawn: NDArray[np.uint32], ranges: Floats, done: int
) -> tuple[int, int]: ...
