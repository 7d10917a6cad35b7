"""Process pages in worker processes with a time limit.

Parsers may hang or crash in C code, where exceptions do not help. So pebble's process pool handles
pages, in batches, because a message per page costs as much as its text. If a batch exceeds the time
limit or kills its process, its pages are retried one by one, and only the faulty page is lost.
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
MEMORY = 2 << 30  # bytes of address space of a worker beyond that shared with its parent


def map_pages(
    function: Callable[[bytes], T], pages: Iterable[Page], *, workers: int = 1, seconds: float = 10
) -> Iterator[tuple[str, T | str]]:
    """Yield each document with the function's result for its page, in order.

    A lost page has a reason instead: `timeout` after `seconds`, or `crash`. At most one batch per
    worker is queued, so memory does not grow with the collection.
    """
    batches = _batches(pages)
    pending: deque[tuple[list[Page], ProcessFuture[list[T]]]] = deque()
    # Forked, because a new process cannot import a script of the workflow.
    context = multiprocessing.get_context("fork")
    with ProcessPool(max_workers=workers, initializer=_bound, context=context) as pool:

        def send(batch: list[Page]) -> "ProcessFuture[list[T]]":
            content = [page for _, page in batch]
            return pool.schedule(_each, args=(function, content), timeout=seconds)

        def results(batch: list[Page], future: "ProcessFuture[list[T]]") -> Iterator[T | str]:
            try:
                yield from future.result()
            except (Late, ProcessExpired) as error:
                if len(batch) == 1:
                    yield "timeout" if isinstance(error, Late) else "crash"
                    return
                for page in batch:
                    yield from results([page], send([page]))

        try:
            while True:
                while len(pending) <= workers and (batch := next(batches, None)):
                    pending.append((batch, send(batch)))
                if not pending:
                    return
                batch, future = pending.popleft()
                yield from zip((name for name, _ in batch), results(batch, future), strict=True)
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
    """Limit the memory of a worker, and discard parser output about broken pages."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # also terminates C code
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with suppress(ImportError, OSError):  # not on every system
        import resource

        shared = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = shared + MEMORY
        resource.setrlimit(
            resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
        )
