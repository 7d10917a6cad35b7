"""Hostile pages: each gets its reason in bounded time, and the campaign goes on."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from pipeline.pages.cleanse import METHODS
from pipeline.pages.cleanse.pool import _Worker, clean_all
from pipeline.pages.cleanse.worker import Task
from tests.pages.hostile import HOSTILE

SECONDS = 4.0  # a page's deadline
SPARE = 3.0  # for a busy machine
REASONS = {
    *("", "empty", "binary", "too large", "too complex", "too deep"),
    *("unparsable", "no text", "timeout"),
}
GOOD = b"<p>Some plain text.</p>"


def told(**task: str) -> tuple[str, str]:
    return "pipeline.pages.cleanse.worker", Task(**task).to_text()


@pytest.fixture(scope="module", params=METHODS)
def worker(request: pytest.FixtureRequest) -> Iterator[tuple[str, _Worker]]:
    made = _Worker(told(method=request.param), SECONDS)
    yield request.param, made
    made.stop()


def answer(worker: _Worker, page: bytes) -> tuple[str, str, float]:
    worker.send([("d", page)])
    worker._greet()
    begin = time.monotonic()
    ((_, text, reason),) = worker.receive([("d", page)])
    return text.decode(), reason, time.monotonic() - begin


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_page(worker: tuple[str, _Worker], name: str) -> None:
    method, process = worker
    make, expected = HOSTILE[name]
    text, reason, took = answer(process, make())
    assert took < SECONDS + SPARE
    assert bool(text) == (not reason)
    if method in ("blocks", "main"):
        assert reason == expected
    else:  # another parser may see no text, or need too long, but the guards are the same
        assert reason in REASONS
        if expected in {"empty", "binary", "too large", "too complex", "too deep"}:
            assert reason == expected


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 11 + 20


def test_a_page_that_hangs_costs_its_deadline_and_no_other_page() -> None:
    slow = HOSTILE["100,000 attributes"][0]()
    pages = [("a", GOOD), ("b", slow), ("c", GOOD), ("d", slow), ("e", GOOD)]
    begin = time.monotonic()
    rows = list(clean_all(pages, task=Task(method="main"), seconds=1.0))
    assert time.monotonic() - begin > 2.0
    assert [reason for _, _, reason in rows] == ["", "timeout", "", "timeout", ""]
    assert [text for _, text, _ in rows[::2]] == ["Some plain text."] * 3


def test_a_worker_that_dies_is_replaced() -> None:
    worker = _Worker(told(), 5.0)
    batch = [("a", GOOD), ("b", GOOD)]
    assert answer(worker, GOOD)[0]
    assert worker._process is not None
    os.kill(worker._process.pid, signal.SIGSTOP)  # so that it cannot answer before it dies
    worker.send(batch)
    os.kill(worker._process.pid, signal.SIGKILL)
    assert worker.receive(batch) == [("a", b"", "crash"), ("b", b"Some plain text.", "")]
    worker.stop()


def test_a_worker_that_cannot_start_is_an_error_of_ours() -> None:
    worker = _Worker(told(method="no such method"), 5.0)
    worker.send([("a", GOOD)])
    with pytest.raises(RuntimeError, match="does not start"):
        worker.receive([("a", GOOD)])


def test_workers_are_gone_when_the_reader_fails() -> None:
    def pages() -> Iterator[tuple[str, bytes]]:
        yield from [("a", GOOD)] * 40
        raise OSError("the disk is gone")

    rows = clean_all(pages(), task=Task(), workers=2, seconds=5.0)
    with pytest.raises(OSError, match="the disk is gone"):
        list(rows)
