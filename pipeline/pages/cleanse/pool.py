"""Killable workers: pages go out in small batches, and no page takes longer than its deadline.

The parent enforces the deadline. A worker that is at one page for too long is killed, the page gets
the reason `timeout` (or `crash`, if the worker died of it), and a new worker goes on with the rest;
answers that the dead one had not yet handed over are made anew.
"""

import mmap
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pipeline
from pipeline.pages.cleanse.worker import AT_WORK, Task, put

Page = tuple[str, bytes]
Row = tuple[str, str, str]  # document, text, reason
Answer = tuple[str, bytes, str]  # document, content, reason

BATCH_PAGES = 32
BATCH_BYTES = 2_000_000
_LOADING = 120  # seconds a worker may take to start, on a busy machine
_ROOT = Path(pipeline.__file__).resolve().parents[1]
_PIPE = 1 << 20  # bytes a pipe may hold, where the system can be asked for it


def clean_all(
    pages: Iterable[Page], *, task: Task, workers: int = 1, seconds: float = 10.0
) -> Iterator[Row]:
    """The text of every page and its reason, in the order of the pages."""
    command = ("pipeline.pages.cleanse.worker", task.to_text())
    for document, text, reason in answer_all(pages, command, workers=workers, seconds=seconds):
        yield document, text.decode(), reason


def answer_all(
    pages: Iterable[Page], command: tuple[str, str], *, workers: int = 1, seconds: float = 10.0
) -> Iterator[Answer]:
    """The answer to every page, in the order of the pages, made by `workers` processes.

    The command is the module of the worker, which calls `worker.serve`, and what it is told.
    """
    batches = _batches(pages)
    pool = [_Worker(command, seconds) for _ in range(workers)]
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

    def __init__(self, command: tuple[str, str], seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._at_work: mmap.mmap | None = None  # what the process tells of itself
        self._sent = 0  # pages this process was sent
        self._unread = b""
        self._ready = False

    def send(self, batch: list[Page]) -> None:
        """Hand a batch over; a worker that is gone is noticed when its answers are awaited."""
        process = self._process or self._start()
        assert process.stdin is not None
        self._sent += len(batch)
        with suppress(BrokenPipeError):
            put(process.stdin, len(batch).to_bytes(4, "little"))
            for _, page in batch:
                put(process.stdin, page)
            process.stdin.flush()

    def receive(self, batch: list[Page]) -> list[Answer]:
        """The answers to a batch sent before."""
        found: list[Answer | None] = [None] * len(batch)
        left = list(range(len(batch)))
        while left:
            self._greet()
            first = self._sent - len(left)  # pages this process was sent before these
            waited = time.monotonic()
            try:
                while left:
                    reason = self._message(first, waited).decode()
                    content = self._message(first, waited)
                    at = left.pop(0)
                    found[at] = (batch[at][0], content, reason)
                    first += 1
                    waited = time.monotonic()
            except (TimeoutError, EOFError) as error:
                begun, _ = self._working()
                culprit = left.pop(min(max(0, begun - first - 1), len(left) - 1))
                why = "timeout" if isinstance(error, TimeoutError) else "crash"
                found[culprit] = (batch[culprit][0], b"", why)
                self.stop()
                if left:
                    self.send([batch[at] for at in left])
        return [answer for answer in found if answer is not None]

    def _greet(self) -> None:
        """Wait for a new worker to have loaded its parser, which is no page's time."""
        if self._ready:
            return
        try:
            self._message(-1, time.monotonic())
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
        if self._at_work is not None:
            self._at_work.close()
            self._at_work = None

    def _start(self) -> subprocess.Popen[bytes]:
        with tempfile.TemporaryFile() as shared:
            shared.write(bytes(AT_WORK.size))
            shared.flush()
            self._at_work = mmap.mmap(shared.fileno(), AT_WORK.size)
            self._process = subprocess.Popen(
                # Without `site`, which takes longer than all the worker loads: the path is given.
                [sys.executable, "-S", "-m", *self._command, str(shared.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # what parsers mutter about broken pages
                pass_fds=[shared.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *sys.path[1:]])},
            )
        self._ready = False
        self._sent = 0
        _widen(self._process)
        return self._process

    def _working(self) -> tuple[int, float]:
        """How many pages the process has begun, and when it began the last."""
        assert self._at_work is not None
        begun, since = AT_WORK.unpack_from(self._at_work, 0)
        return int(begun), float(since)

    def _message(self, first: int, waited: float) -> bytes:
        size = int.from_bytes(self._take(4, first, waited), "little")
        return self._take(size, first, waited)

    def _patience(self, first: int, waited: float) -> float:
        """Seconds left to the page at work; `first` are the pages before those awaited."""
        if first < 0:
            return waited + _LOADING - time.monotonic()
        begun, since = self._working()
        return max(waited, since if begun > first else 0.0) + self._seconds - time.monotonic()

    def _take(self, size: int, first: int, waited: float) -> bytes:
        """The next `size` bytes of answers, as long as no page takes too long."""
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
                if not selector.select(max(0.0, self._patience(first, waited))):
                    if self._patience(first, waited) > 0:
                        continue  # it has gone on to another page meanwhile
                    raise TimeoutError
                part = os.read(pipe, _PIPE)
                if not part:
                    raise EOFError
                parts.append(part)
                have += len(part)
        whole = b"".join(parts)
        self._unread = whole[size:]
        return whole[:size]


def _widen(process: subprocess.Popen[bytes]) -> None:
    """Let the pipes hold a whole batch, so that the two processes take turns less often."""
    try:
        from fcntl import F_SETPIPE_SZ, fcntl
    except ImportError:  # Linux has it
        return
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with suppress(OSError):  # more than this user may have
            fcntl(stream.fileno(), F_SETPIPE_SZ, _PIPE)
