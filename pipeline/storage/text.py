"""The strict reader of all text files that users supply.

A file must be UTF-8, plain or gzip. Tabs, several spaces, any line end, a missing final newline and
a byte-order mark are accepted. Other encodings are refused by name.
"""

import io
import math
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.errors import InputError, Problem

# Limits of a gzip file's size unpacked. Text compresses 5 to 20 times, a decompression bomb 1,000.
ALWAYS = 256 << 20  # bytes that any file may unpack to
RATIO = 100  # times its own size that it may unpack to, if that is more
PIECE = 1 << 17

LONGEST = 1000  # bytes of an id or a number; more is a mistake in the file
DIGITS = re.compile(r"(\d+)")
# The exponent ends at 299, so that one unit of the last digit is a finite number too.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}))?")
COMMENT = re.compile(rb"(?m)^[ \t\v\f]*#[^\n]*")
MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def natural(text: str) -> tuple[list[tuple[int, int, str]], str]:
    """Key of the natural order: qtest.2 before qtest.10; different texts have different keys.

    >>> sorted(["10", "2", "01", "1"], key=natural)
    ['01', '1', '2', '10']
    """
    # Numbers compare by length, then by digits: int() refuses an id of 5,000 digits.
    numbered = [
        (0, len(digits := part.lstrip("0")), digits)
        if part.isdecimal() and part.isascii()
        else (1, 0, part)
        for part in DIGITS.split(text)
        if part
    ]
    return numbered, text  # the text last, because 1, 01 and 001 are the same number


def number(text: str) -> float:
    """A finite number written in digits 0-9, as `float` reads it; NaN for anything else.

    >>> number("-1.5e3"), number("٣"), number("1_000"), number("inf"), number("0e99999")
    (-1500.0, nan, nan, nan, nan)
    """
    if len(text) > LONGEST or not NUMBER.fullmatch(text):
        return math.nan
    value = float(text)
    return value if math.isfinite(value) else math.nan


def cut(text: str) -> str:
    """A value shortened for a message."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a text file in pieces: unpacked, without byte-order mark."""
    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            chunks = _unpacked(path, file) if packed else iter(lambda: file.read(PIECE), b"")
            start = next(chunks, b"")
            _refuse_wide(path, start)
            yield start.removeprefix(b"\xef\xbb\xbf")
            yield from chunks
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, what, "check the path")) from None


def read_bytes(path: Path, *, what: str, line: str, comments: bool = False) -> bytes:
    """The text of a file as bytes: unpacked, without byte-order mark, never empty.

    `what` names the kind of file and `line` the form of its lines, for messages. With `comments`,
    lines that begin with # are blanked; line numbers stay.
    """
    content = b"".join(pieces(path))
    if b"\r" in content and b"\n" not in content:
        content = content.replace(b"\r", b"\n")  # line ends of old Macs
    if content.isspace() or not content:
        raise InputError(Problem(path, "the file is empty", f"a {what} has lines of '{line}'"))
    if comments:
        content, _ = without_comments(path, content, what=what, line=line)
    return content


def without_comments(path: Path, content: bytes, *, what: str, line: str) -> tuple[bytes, int]:
    """The text with lines that begin with # blanked, and their number."""
    if b"#" not in content:
        return content, 0
    text, number = COMMENT.subn(b"", content)
    if text.isspace() or not text:
        fix = f"a {what} has lines of '{line}'"
        raise InputError(Problem(path, "every line is a comment (#)", fix))
    return text, number


def read_text(path: Path, *, what: str, line: str) -> str:
    """The text of a file, with every line end converted to a line feed."""
    content = read_bytes(path, what=what, line=line)
    _refuse_nul(path, content, what=what)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        refuse_bytes(path, number, content.split(b"\n")[number - 1].split())
        raise
    return text.replace("\r\n", "\n")


def refuse_bytes(path: Path, line: int, fields: Iterable[bytes]) -> None:
    """Refuse fields that are not UTF-8; the message shows them as Windows-1252 or Latin-1."""
    for field in fields:
        try:
            field.decode()
        except UnicodeDecodeError:
            start = field if len(field) <= 60 else field[:60] + b"..."
            try:
                decoded = start.decode("cp1252")
            except UnicodeDecodeError:
                decoded = start.decode("latin-1")
            guess = f" (as Latin-1 it reads '{decoded}')" if decoded.isprintable() else ""
            what = f"{start!r} is not valid UTF-8{guess}"
            raise InputError(Problem(path, what, "save the file as UTF-8", line=line)) from None


def refuse_long(path: Path, line: int, fields: Iterable[str | bytes]) -> None:
    """Refuse ids longer than `LONGEST`."""
    for field in fields:
        if len(field) > LONGEST:
            start = field[:30] if isinstance(field, str) else field[:30].decode(errors="replace")
            what = f"the id '{start}...' has {len(field)} characters"
            fix = f"correct it; ids have at most {LONGEST}"
            raise InputError(Problem(path, what, fix, line=line))


def read_fields(path: Path, *, what: str, line: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of a file; ASCII white space separates, lines with # are skipped."""
    yield from fields_of(path, read_bytes(path, what=what, line=line, comments=True), what=what)


def fields_of(path: Path, content: bytes, *, what: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of the content of a file, as `read_fields` returns them."""
    _refuse_nul(path, content, what=what)
    for number, line_bytes in enumerate(content.split(b"\n"), start=1):
        fields = line_bytes.split()
        if not fields:
            continue
        try:
            texts = [field.decode() for field in fields]
        except UnicodeDecodeError:
            refuse_bytes(path, number, fields)
        if len(line_bytes) > LONGEST:
            refuse_long(path, number, texts[:-1])  # the last field is a number, not an id
        yield number, texts


def damaged() -> tuple[type[Exception], ...]:
    """The exceptions raised while reading a damaged gzip file."""
    import zlib

    from isal.igzip_lib import IsalError  # its types call it an instance

    return (OSError, EOFError, zlib.error, IsalError)  # type: ignore[return-value]


def _unpacked(path: Path, file: io.BufferedReader) -> Iterator[bytes]:
    """The content of a gzip file in pieces, so that a decompression bomb never fills the memory."""
    from isal import igzip  # late: most processes need none, and the import takes time

    info = path.stat()
    packed: io.BufferedIOBase = file
    size = info.st_size
    if not stat.S_ISREG(info.st_mode):  # a pipe
        content = file.read()
        packed, size = io.BytesIO(content), len(content)
    most = max(ALWAYS, RATIO * size)
    size_out = 0
    try:
        with igzip.IGzipFile(fileobj=packed) as unpacked:  # type: ignore[no-untyped-call]
            while piece := unpacked.read(PIECE):
                size_out += len(piece)
                if size_out > most:
                    what = f"the gzip file of {size} bytes unpacks to more than {most >> 20} MiB"
                    raise InputError(Problem(path, what, "unpack it yourself if that is intended"))
                yield piece
    except damaged():
        what = "the gzip file is damaged or cut short"
        raise InputError(Problem(path, what, "replace it with an intact copy")) from None


def _refuse_wide(path: Path, content: bytes) -> None:
    """Refuse UTF-16 and UTF-32, with or without a byte-order mark."""
    for mark, name in MARKS.items():
        if content.startswith(mark):
            raise InputError(Problem(path, f"the file is in {name}", "save it as UTF-8"))
    start = content[:1000]
    # In UTF-16, ASCII text has a NUL in every other byte, and nowhere else.
    if len(start) > 3 and (start[1::2].strip(b"\0") == b"") != (start[::2].strip(b"\0") == b""):
        raise InputError(Problem(path, "the file is in UTF-16", "save it as UTF-8"))


def _refuse_nul(path: Path, content: bytes, *, what: str) -> None:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        problem = "a NUL byte, so this is not a text file"
        raise InputError(Problem(path, problem, f"supply the {what} as plain text", line=line))
