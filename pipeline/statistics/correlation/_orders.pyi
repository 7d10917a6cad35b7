"""Orders of many runs compared, `_orders.c`."""

from pipeline.storage.arrays import Floats, Ints

SOURCES_DIGEST: str

def weighed(
    first: Ints, size: Ints, measures: int, runs: int, weight: Floats, alike: Floats,
    opposite: Floats,
) -> None: ...  # fmt: skip
def overlaps(
    first: Ints, size: Ints, measures: int, runs: int, weight: Floats, kind: int, out: Floats
) -> None: ...
