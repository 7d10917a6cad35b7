"""A line now and then for those who wait: how far a long job is."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
EVERY = 10.0  # seconds between two lines


def told(parts: Iterable[T], *, total: int, what: str) -> Iterator[T]:
    """The parts of a job one by one; a line every ten seconds, so none of a job shorter than that.

    `what` says what is done, such as "sign flips of AP".
    """
    begin = last = time.monotonic()
    for done, part in enumerate(parts, 1):
        yield part
        now = time.monotonic()
        if now - last >= EVERY and done < total:
            last = now
            left = (now - begin) / done * (total - done)
            line = f"fathom: {what}: {100 * done // total} % done, about {left:,.0f} s to go"
            print(line, file=sys.stderr, flush=True)
