"""Killable workers: pages go out in small batches, and no page takes longer than its deadline.

The parent enforces the deadline. A worker that gives no answer in time is killed, its page gets the
reason `timeout` (or `crash`, if the worker died of it), and a new worker goes on with the rest.
"""

import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pipeline
from pipeline.pages.cleanse.worker import put

Page = tuple[str, bytes]
Row = tuple[str, str, str]  # document, text, reason

BATCH_PAGES = 32
BATCH_BYTES = 2_000_000
_LOADING = 120  # seconds a worker may take to start, on a busy machine
_ROOT = Path(pipeline.__file__).resolve().parents[1]


def clean_all(
    pages: Iterable[Page], *, method: str, sentence_ends: bool, workers: int, seconds: float
) -> Iterator[Row]:
    """The row of every page, in the order of the pages, parsed by `workers` processes."""
    batches = _batches(pages)
    pool = [_Worker(method, sentence_ends, seconds) for _ in range(workers)]
    # In order: the oldest batch is awaited first, while younger ones are worked on.
    waiting: deque[tuple[_Worker, list[Page]]] = deque()
    try:
        for worker in pool:
            if batch := next(batches, None):
                worker.send(batch)
                waiting.append((worker, batch))
        ready = next(batches, None)  # read ahead, so that no worker waits for the disk
        while waiting:
            worker, batch = waiting.popleft()
            rows = worker.receive(batch)
            if ready is not None:
                worker.send(ready)
                waiting.append((worker, ready))
                ready = next(batches, None)
            yield from rows
    finally:
        for worker in pool:
            worker.stop()


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


class _Worker:
    """One process, started at need and again after its death."""

    def __init__(self, method: str, sentence_ends: bool, seconds: float) -> None:
        self._given = [method, "1" if sentence_ends else "0"]
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = b""
        self._ready = False

    def send(self, batch: list[Page]) -> None:
        """Hand a batch over; a worker that is gone is noticed when its answers are awaited."""
        process = self._process or self._start()
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            put(process.stdin, len(batch).to_bytes(4, "little"))
            for _, page in batch:
                put(process.stdin, page)
            process.stdin.flush()

    def receive(self, batch: list[Page]) -> list[Row]:
        """The rows of a batch sent before."""
        rows: list[Row] = []
        while len(rows) < len(batch):
            document = batch[len(rows)][0]
            self._greet()
            until = time.monotonic() + self._seconds
            try:
                reason = self._message(until).decode()
                text = self._message(until).decode()
            except (TimeoutError, EOFError) as error:
                text, reason = "", "timeout" if isinstance(error, TimeoutError) else "crash"
                self.stop()
                if rest := batch[len(rows) + 1 :]:
                    self.send(rest)
            rows.append((document, text, reason))
        return rows

    def _greet(self) -> None:
        """Wait for a new worker to have loaded its parser, which is no page's time."""
        if self._ready:
            return
        try:
            self._message(time.monotonic() + _LOADING)
        except (TimeoutError, EOFError):
            self.stop()
            raise RuntimeError("the cleansing worker does not start") from None
        self._ready = True

    def stop(self) -> None:
        """Kill the process, if there is one."""
        process, self._process, self._unread = self._process, None, b""
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(BrokenPipeError):  # what was not yet written
                        stream.close()

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.pages.cleanse.worker", *self._given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what parsers mutter about broken pages
            env={**os.environ, "PYTHONPATH": path},
        )
        self._ready = False
        return self._process

    def _message(self, until: float) -> bytes:
        size = int.from_bytes(self._take(4, until), "little")
        return self._take(size, until)

    def _take(self, size: int, until: float) -> bytes:
        """The next `size` bytes of answers, waiting no longer than `until`."""
        if len(self._unread) >= size:
            taken, self._unread = self._unread[:size], self._unread[size:]
            return taken
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        parts = [self._unread]
        have = len(self._unread)
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while have < size:
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise TimeoutError
                part = os.read(pipe, 1 << 16)
                if not part:
                    raise EOFError
                parts.append(part)
                have += len(part)
        whole = b"".join(parts)
        self._unread = whole[size:]
        return whole[:size]
