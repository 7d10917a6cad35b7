"""A line now and then for those who wait: how far a long job is."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
EVERY = 10.0  # seconds between two lines


def told(parts: Iterable[T], *, what: str, total: int | None = None) -> Iterator[T]:
    """The parts of a job one by one; a line every ten seconds, so none of a job shorter than that.

    `what` says what is done, such as "sign flips of AP"; `total` is None where it is not known.
    """
    begin = last = time.monotonic()
    for done, part in enumerate(parts, 1):
        yield part
        now = time.monotonic()
        if now - last >= EVERY and (total is None or done < total):
            last, took = now, now - begin
            line = f"{done:,} done, {done / took:,.0f} per second"
            if total:
                left = took / done * (total - done)
                line = f"{100 * done // total} % done, about {left:,.0f} s to go"
            print(f"fathom: {what}: {line}", file=sys.stderr, flush=True)
