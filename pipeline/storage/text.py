"""Text from outside: bytes of a file as it was sent, its fields, and the order of ids.

A file may be plain or gzip, with tabs, several spaces, CRLF, no final newline or a byte-order mark.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from isal import igzip

from pipeline.errors import InputError


def natural(text: str) -> tuple[list[tuple[int, int, str]], str]:
    """Sort key under which qtest.2 comes before qtest.10, and no two texts are equal.

    >>> sorted(["10", "2", "01", "1"], key=natural)
    ['01', '1', '2', '10']
    """
    parts = re.split(r"(\d+)", text)
    numbered = [(0, int(p), "") if p.isdecimal() and p.isascii() else (1, 0, p) for p in parts if p]
    return numbered, text  # the text last: 1, 01 and 001 are the same number


def read_bytes(path: Path, *, what: str, line: str) -> bytes:
    """The text of a file as bytes: unpacked, without byte-order mark, never empty.

    `what` names the kind of file, and `line` the form of its lines, for the message.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); check the path in the config"
        ) from None
    if content[:2] == b"\x1f\x8b":
        try:
            content = igzip.decompress(content)  # type: ignore[no-untyped-call]
        except (OSError, EOFError, zlib.error, igzip.BadGzipFile):
            raise InputError(
                f"{path}: the gzip file is damaged or cut short; ask for it again"
            ) from None
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"{path}: the file is in UTF-16; save it as UTF-8")
    content = content.removeprefix(b"\xef\xbb\xbf")
    if not content.strip():
        raise InputError(f"{path}: the file is empty; a {what} has lines of '{line}'")
    return content


def refuse_bytes(path: Path, line: int, fields: Iterable[bytes]) -> None:
    """Refuse fields that are not UTF-8."""
    for field in fields:
        try:
            field.decode()
        except UnicodeDecodeError:
            raise InputError(
                f"{path}, line {line}: {field!r} is not valid UTF-8; save the file as UTF-8"
            ) from None


def read_fields(path: Path, *, what: str, line: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of a text file; only ASCII white space separates."""
    content = read_bytes(path, what=what, line=line)
    if b"\0" in content:
        at = content[: content.index(b"\0")].count(b"\n") + 1
        raise InputError(
            f"{path}, line {at}: a NUL byte, so this is not a text file; send the {what} itself"
        )
    for number, line_bytes in enumerate(content.split(b"\n"), start=1):
        fields = line_bytes.split()
        if not fields:
            continue
        try:
            yield number, [field.decode() for field in fields]
        except UnicodeDecodeError:
            refuse_bytes(path, number, fields)
