"""Pages through worker processes that can be killed: no page takes longer than its time limit.

A parser that hangs or crashes does so in C code, which no exception reaches. So pages are handled
in the processes of pebble's pool, in batches, because a message per page costs as much as its text.
Where a batch takes too long or kills its process, its pages are handled again one by one, and only
the page at fault is lost.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

T = TypeVar("T")
Page = tuple[str, bytes]

BATCH_PAGES = 32
BATCH_BYTES = 2_000_000
MEMORY = 2 << 30  # bytes of address space of a worker, beyond what it shares with its parent


def map_pages(
    function: Callable[[bytes], T], pages: Iterable[Page], *, workers: int = 1, seconds: float = 10
) -> Iterator[tuple[str, T | str]]:
    """Each document with what the function makes of its page, in their order.

    A page that is lost has the reason instead: `timeout` after so many `seconds`, or `crash`.
    At most one batch per worker waits, so memory does not grow with the collection.
    """
    batches = _batches(pages)
    waiting: deque[tuple[list[Page], ProcessFuture[list[T]]]] = deque()
    # Forked, because a script of the workflow cannot be imported by a new process.
    context = multiprocessing.get_context("fork")
    with ProcessPool(max_workers=workers, initializer=_bound, context=context) as pool:

        def send(batch: list[Page]) -> "ProcessFuture[list[T]]":
            content = [page for _, page in batch]
            return pool.schedule(_each, args=(function, content), timeout=seconds)

        def received(batch: list[Page], future: "ProcessFuture[list[T]]") -> Iterator[T | str]:
            try:
                yield from future.result()
            except (Late, ProcessExpired) as error:
                if len(batch) == 1:
                    yield "timeout" if isinstance(error, Late) else "crash"
                    return
                for page in batch:
                    yield from received([page], send([page]))

        try:
            while True:
                while len(waiting) <= workers and (batch := next(batches, None)):
                    waiting.append((batch, send(batch)))
                if not waiting:
                    return
                batch, future = waiting.popleft()
                yield from zip((name for name, _ in batch), received(batch, future), strict=True)
        finally:
            pool.stop()  # type: ignore[no-untyped-call]


def _batches(pages: Iterable[Page]) -> Iterator[list[Page]]:
    batch: list[Page] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page[1])
        if len(batch) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _each(function: Callable[[bytes], T], pages: list[bytes]) -> list[T]:
    return [function(page) for page in pages]


def _bound() -> None:
    """Bound the memory of a worker, and drop what parsers print about broken pages."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends it in C code, too
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with suppress(ImportError, OSError):  # not on every system
        import resource

        shared = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = shared + MEMORY
        resource.setrlimit(
            resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
        )
