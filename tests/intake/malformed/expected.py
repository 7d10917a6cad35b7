"""What readers must say of a malformed file: where, and which values; the words are theirs."""

import gzip
from typing import NamedTuple


class Expected(NamedTuple):
    """The line of a problem, what it must name, and a word of the fix."""

    line: int | None
    words: tuple[str, ...]
    fix: str


Case = tuple[bytes, Expected]


def at(line: int | None, *words: str, fix: str = "") -> Expected:
    return Expected(line, words, fix)


WIDE = at(None, "UTF-16", fix="UTF-8")
WIDER = at(None, "UTF-32", fix="UTF-8")
CUT = at(None, "gzip")
HUGE = b"9" * 1_000_000


def bad_block(content: bytes) -> bytes:
    """A gzip file whose first block is of a type that does not exist."""
    packed = bytearray(gzip.compress(content))
    packed[10] |= 0b110
    return bytes(packed)


def latin(line: int, word: str) -> Expected:
    return at(line, repr(word.encode("latin-1")), f"'{word}'", fix="UTF-8")


def empty(what: str, line: str) -> Expected:
    return at(None, "empty", fix=f"{what} has lines of '{line}'")


def comments(what: str, line: str) -> Expected:
    return at(None, "comment", fix=f"{what} has lines of '{line}'")


def nul(line: int, what: str) -> Expected:
    return at(line, "NUL", fix=what)


def long(line: int, start: str, size: int = 1_000_000) -> Expected:
    return at(line, str(size), f"'{start}...'", fix="1000")
