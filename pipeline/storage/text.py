"""Text from outside: the one reader of everything textual that is handed in.

A file may be plain or gzip, with tabs, several spaces, any line end, no final newline or a
byte-order mark, and is UTF-8. What is something else is refused in a sentence that names it.
"""

import io
import math
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.errors import InputError, Problem

# What a gzip file may unpack to: text packs 5 to 20 times smaller, a bomb a thousand times.
ALWAYS = 256 << 20
RATIO = 100
PIECE = 1 << 17

LONGEST = 1000  # bytes of an id, and of a number: more is no id but a mistake
DIGITS = re.compile(r"(\d+)")
# The exponent ends at 299, so that a unit of the last digit is a number too.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}))?")
COMMENT = re.compile(rb"(?m)^[ \t\v\f]*#[^\n]*")
MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def natural(text: str) -> tuple[list[tuple[int, int, str]], str]:
    """Sort key under which qtest.2 comes before qtest.10, and no two texts are equal.

    >>> sorted(["10", "2", "01", "1"], key=natural)
    ['01', '1', '2', '10']
    """
    # A number is compared by its length, then its digits: an id of 5,000 digits is no int.
    numbered = [
        (0, len(digits := part.lstrip("0")), digits)
        if part.isdecimal() and part.isascii()
        else (1, 0, part)
        for part in DIGITS.split(text)
        if part
    ]
    return numbered, text  # the text last: 1, 01 and 001 are the same number


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
    """A value as a sentence shows it: its beginning, if it is long."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a text file piece by piece: unpacked, without byte-order mark."""
    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            every = _unpacked(path, file) if packed else iter(lambda: file.read(PIECE), b"")
            start = next(every, b"")
            _refuse_wide(path, start)
            yield start.removeprefix(b"\xef\xbb\xbf")
            yield from every
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, what, "check the path")) from None


def read_bytes(path: Path, *, what: str, line: str, comments: bool = False) -> bytes:
    """The text of a file as bytes: unpacked, without byte-order mark, never empty.

    `what` names the kind of file, and `line` the form of its lines, for the message. With
    `comments`, lines that begin with # are made blank; all keep their numbers.
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
    """The text with lines that begin with # made blank, and how many there were."""
    if b"#" not in content:
        return content, 0
    kept, number = COMMENT.subn(b"", content)
    if kept.isspace() or not kept:
        fix = f"a {what} has lines of '{line}'"
        raise InputError(Problem(path, "every line is a comment (#)", fix))
    return kept, number


def read_text(path: Path, *, what: str, line: str) -> str:
    """The text of a file, its lines ended by a line feed alone."""
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
    """Refuse fields that are not UTF-8, and say how Windows and old tools would read them."""
    for field in fields:
        try:
            field.decode()
        except UnicodeDecodeError:
            shown = field if len(field) <= 60 else field[:60] + b"..."
            try:
                meant = shown.decode("cp1252")
            except UnicodeDecodeError:
                meant = shown.decode("latin-1")
            guess = f" (as Latin-1 it reads '{meant}')" if meant.isprintable() else ""
            what = f"{shown!r} is not valid UTF-8{guess}"
            raise InputError(Problem(path, what, "save the file as UTF-8", line=line)) from None


def refuse_long(path: Path, line: int, fields: Iterable[str | bytes]) -> None:
    """Refuse ids that are too long to be any."""
    for field in fields:
        if len(field) > LONGEST:
            start = field[:30] if isinstance(field, str) else field[:30].decode(errors="replace")
            what = f"an id of {len(field)} characters, '{start}...'"
            fix = f"ids have at most {LONGEST}, so correct the line"
            raise InputError(Problem(path, what, fix, line=line))


def read_fields(path: Path, *, what: str, line: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of a text file; only ASCII white space separates, # comments."""
    yield from fields_of(path, read_bytes(path, what=what, line=line, comments=True), what=what)


def fields_of(path: Path, content: bytes, *, what: str) -> Iterator[tuple[int, list[str]]]:
    """As `read_fields`, of a file that was read already."""
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
    """What reading a packed file raises when it is damaged."""
    import zlib

    from isal.igzip_lib import IsalError  # its types call it an instance

    return (OSError, EOFError, zlib.error, IsalError)  # type: ignore[return-value]


def _unpacked(path: Path, file: io.BufferedReader) -> Iterator[bytes]:
    """What a gzip file holds, piece by piece so that a bomb never fills the memory."""
    from isal import igzip  # only where it is needed: it costs more than what it would unpack

    about = path.stat()
    packed: io.BufferedIOBase = file
    size = about.st_size
    if not stat.S_ISREG(about.st_mode):  # a pipe
        content = file.read()
        packed, size = io.BytesIO(content), len(content)
    most = max(ALWAYS, RATIO * size)
    came = 0
    try:
        with igzip.IGzipFile(fileobj=packed) as unpacked:  # type: ignore[no-untyped-call]
            while piece := unpacked.read(PIECE):
                came += len(piece)
                if came > most:
                    what = f"the gzip file of {size} bytes unpacks to more than {most >> 20} MiB"
                    raise InputError(Problem(path, what, "send the text itself if it is meant"))
                yield piece
    except damaged():
        what = "the gzip file is damaged or cut short"
        raise InputError(Problem(path, what, "ask for it again")) from None


def _refuse_wide(path: Path, content: bytes) -> None:
    """Refuse encodings of two and four bytes a character, marked or not."""
    for mark, name in MARKS.items():
        if content.startswith(mark):
            raise InputError(Problem(path, f"the file is in {name}", "save it as UTF-8"))
    start = content[:1000]
    # ASCII in UTF-16 has a NUL in every other byte, and nowhere else
    if len(start) > 3 and (start[1::2].strip(b"\0") == b"") != (start[::2].strip(b"\0") == b""):
        raise InputError(Problem(path, "the file is in UTF-16", "save it as UTF-8"))


def _refuse_nul(path: Path, content: bytes, *, what: str) -> None:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        problem = "a NUL byte, so this is not a text file"
        raise InputError(Problem(path, problem, f"send the {what} itself", line=line))
