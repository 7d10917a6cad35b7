"""Progress lines of long jobs."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
EVERY = 10.0  # seconds between two lines


def with_progress(parts: Iterable[T], *, task: str, total: int | None = None) -> Iterator[T]:
    """Yield the parts of a job, and print a progress line every ten seconds.

    `task` names the job, for example "sign flips of AP"; `total` is None if it is not known.
    """
    begin = last = time.monotonic()
    for count, part in enumerate(parts, 1):
        yield part
        now = time.monotonic()
        if now - last >= EVERY and (total is None or count < total):
            last, took = now, now - begin
            line = f"{count:,} done, {count / took:,.0f} per second"
            if total:
                remaining = took / count * (total - count)
                line = f"{100 * count // total} % done, about {remaining:,.0f} s to go"
            print(f"fathom: {task}: {line}", file=sys.stderr, flush=True)
