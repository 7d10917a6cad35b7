"""Hostile pages: each gets its reason in bounded time, and the campaign goes on."""

import os
import signal
from collections.abc import Iterator

import pytest

from pipeline.pages.cleanse import METHODS, clean
from pipeline.pages.cleanse.workers import map_pages
from pipeline.pages.step import Task
from tests.pages.hostile import HOSTILE

SECONDS = 4.0  # a page's deadline
GUARDED = {"empty", "binary", "too large", "too complex", "too deep"}
REASONS = {"", *GUARDED, "unparsable", "no text", "timeout"}
GOOD = b"<p>Some plain text.</p>"


class Reason:
    """The reason of a page, by a method."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __call__(self, page: bytes) -> str:
        text, reason = clean(page, method=self.method)
        assert bool(text) == (not reason)
        return reason


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_hostile_pages(method: str) -> None:
    pages = [(name, make()) for name, (make, _) in HOSTILE.items()]
    reasons = dict(map_pages(Reason(method), pages, seconds=SECONDS))
    if method in ("blocks", "main"):
        assert reasons == {name: expected for name, (_, expected) in HOSTILE.items()}
    else:  # another parser may see no text, or need too long, but the guards are the same
        assert set(reasons.values()) <= REASONS
        guarded = {n: expected for n, (_, expected) in HOSTILE.items() if expected in GUARDED}
        assert {name: reasons[name] for name in guarded} == guarded


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 11 + 20


def deadly(page: bytes) -> tuple[str, str]:
    """What a parser may do to its process."""
    if page == b"killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if page == b"greedy":
        bytearray(1 << 40)
    return clean(page, method="main")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_page_that_hangs_or_kills_costs_no_other_page(workers: int) -> None:
    slow = HOSTILE["100,000 attributes"][0]()
    pages = [GOOD, slow, GOOD, b"killed", GOOD] * 2
    given = [(str(place), page) for place, page in enumerate(pages)]
    rows = list(map_pages(deadly, given, workers=workers, seconds=1.0))
    assert [name for name, _ in rows] == [name for name, _ in given]
    good = ("Some plain text.", "")
    assert [row for _, row in rows] == [good, "timeout", good, "crash", good] * 2


def test_the_memory_of_a_worker_is_bounded() -> None:
    with pytest.raises(MemoryError):
        list(map_pages(deadly, [("a", b"greedy")]))


def test_the_reader_of_pages_may_fail() -> None:
    def pages() -> Iterator[tuple[str, bytes]]:
        yield from [("a", GOOD)] * 40
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(map_pages(Task(), pages(), workers=2, seconds=5.0))
