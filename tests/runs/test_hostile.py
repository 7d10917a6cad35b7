"""Runs made to be slow to read: time is linear in every input, but for sorting."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.errors import InputError
from tests.runs.readers import both, needs_extension, run_reader


def numbered(line: bytes, count: int) -> bytes:
    """`count` lines, each with its number in it."""
    return b"".join(line.replace(b"#", b"%d" % n) for n in range(count))


def colliding(count: int) -> list[bytes]:
    """Ids that all have one value under the hash the reader once had, which took no key."""
    whole, factor = 2**64 - 1, 0xD6E8FEB86659FD93
    found: list[bytes] = []
    number = 0
    while len(found) < count:
        number += 1
        first = b"%08d" % number
        h = (0x9E3779B97F4A7C15 ^ 16 ^ int.from_bytes(first, "little")) * factor & whole
        second = (h ^ h >> 32 ^ 0x6162636465666768).to_bytes(8, "little")
        if not set(second) & set(b"\0 \t\n\v\f\r"):
            found.append(first + second)
    return found


SHAPES: dict[str, Callable[[int], bytes]] = {
    "one document over and over": lambda n: b"1 Q0 d 1 2 t\n" * n,
    "every document twice": lambda n: numbered(b"1 Q0 d# # # t\n", n // 2) * 2,
    "a topic a line": lambda n: numbered(b"# Q0 d 1 2 t\n", n),
    "topics that alternate": lambda n: numbered(b"1 Q0 a# 1 2 t\n2 Q0 b# 1 2 t\n", n // 2),
    "one huge topic upside down": lambda n: numbered(b"1 Q0 d# -# # t\n", n),
    "all scores tied": lambda n: numbered(b"1 Q0 d# 1 2 t\n", n),
    "tied ids that differ at the end": lambda n: numbered(
        b"1 Q0 %s# 1 2 t\n" % (b"d" * 200), n // 4
    ),
    "long ids": lambda n: numbered(b"1 Q0 %s# 1 2 t\n" % (b"d" * n * 20), 3),
    "a line of blanks": lambda n: b" " * n * 20 + b"1 Q0 d 1 2 t\n",
    "blank lines": lambda n: b"\n" * n * 20 + b"1 Q0 d 1 2 t\n",
    "many fields": lambda n: b"x " * n * 20,
    "one long score": lambda n: b"1 Q0 d 1 0.%s t\n" % (b"123456789" * n),
    "many long scores": lambda n: numbered(b"1 Q0 d# 1 0.%s t\n" % (b"7" * 300), n // 20),
    "ids that collide without a key": lambda n: b"".join(
        b"1 Q0 %s 1 2 t\n" % text for text in colliding(n // 4)
    ),
}


def seconds(content: bytes) -> float:
    taken = []
    for _ in range(5):
        reader = run_reader()
        before = time.thread_time()
        if reader._rank(Path("run"), [content]) is None:
            with suppress(InputError):
                reader.read_lines(Path("run"), content)
        taken.append(time.thread_time() - before)
    return min(taken)


@needs_extension
@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear_in_the_input(shape: str) -> None:
    """Eight times the input: 8 times the time if linear, with room for caches; 64 if quadratic."""
    small, large = (seconds(SHAPES[shape](n)) for n in (10_000, 80_000))
    print(f"\n{shape}: {small:.4f} s, eight times of it {large:.4f} s, ratio {large / small:.1f}")
    assert large < 26 * small + 0.002


@needs_extension
@pytest.mark.slow
def test_a_small_run_does_not_pay_for_the_ids_of_all_others() -> None:
    reader = run_reader()

    def small_runs() -> float:
        before = time.thread_time()
        for _ in range(2000):
            reader.read_lines(Path("run"), b"1 Q0 a 1 2 t\n")
        return time.thread_time() - before

    alone = small_runs()
    reader.read_lines(Path("run"), numbered(b"# Q0 d# 1 2 t\n", 500_000))
    assert small_runs() < 5 * alone


REFUSED = {
    "many fields": "fields",
    "long ids": "has 40001 characters",
    "ids that collide without a key": "UTF-8",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_both_readers_agree(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both(monkeypatch)
    for order in ("score", "rank"):
        reader = run_reader(order=order, depth=1000)
        reader._rank(Path("run"), [SHAPES[shape](2000)])
        if shape in REFUSED:
            with pytest.raises(InputError) as caught:
                reader.read_lines(Path("run"), SHAPES[shape](2000))
            assert REFUSED[shape] in caught.value.problems[0].what
        else:
            assert reader.read_lines(Path("run"), SHAPES[shape](2000)).summary.lines > 0


def test_the_colliding_ids_are_different_ids() -> None:
    assert len(set(colliding(200))) == 200
