"""Sentences that several readers share; FILE stands for the file's path."""

import gzip

Case = tuple[bytes, str]

WIDE = "FILE: the file is in UTF-16; save it as UTF-8"
WIDER = "FILE: the file is in UTF-32; save it as UTF-8"
CUT = "FILE: the gzip file is damaged or cut short; ask for it again"
HUGE = b"9" * 1_000_000


def bad_block(content: bytes) -> bytes:
    """A gzip file whose first block is of a type that does not exist."""
    packed = bytearray(gzip.compress(content))
    packed[10] |= 0b110
    return bytes(packed)


def latin(line: int, word: str) -> str:
    return (
        f"FILE, line {line}: {word.encode('latin-1')!r} is not valid UTF-8 "
        f"(as Latin-1 it reads '{word}'); save the file as UTF-8"
    )


def empty(what: str, line: str) -> str:
    return f"FILE: the file is empty; a {what} has lines of '{line}'"


def comments(what: str, line: str) -> str:
    return f"FILE: every line is a comment (#); a {what} has lines of '{line}'"


def nul(line: int, what: str) -> str:
    return f"FILE, line {line}: a NUL byte, so this is not a text file; send the {what} itself"


def long(line: int, start: str, size: int = 1_000_000) -> str:
    return (
        f"FILE, line {line}: an id of {size} characters, '{start}...'; "
        "ids have at most 1000, so correct the line"
    )
