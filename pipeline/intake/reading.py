"""Everything a reader refuses in one file, not the first thing only.

A reader stops at the first bad line. Here that line is blanked in a copy and the copy is read
again, so that what is told is what evaluation would tell, in the same words, until nothing is left.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pipeline.errors import InputError
from pipeline.intake.problem import sentence_parts
from pipeline.storage.text import read_bytes

T = TypeVar("T")
MOST = 25  # problems told of one file; a file of another format has one a line

Told = list[tuple[int | None, str, str]]  # line, what, fix


def read_all(
    path: Path, read: Callable[[Path], T], *, what: str, line: str
) -> tuple[T | None, Told]:
    """What `read` makes of the file without its bad lines, and all it refuses on the way."""
    told: Told = []
    try:
        content = read_bytes(path, what=what, line=line)
    except InputError as error:
        return None, [sentence_parts(str(error), path=path)]
    lines = content.split(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name.removesuffix(".gz")
        while True:
            copy.write_bytes(b"\n".join(lines))
            try:
                return read(copy), told
            except InputError as error:
                at, wrong, fix = sentence_parts(str(error), path=copy)
            if told and at is None:  # nothing but bad lines: that was told line by line
                return None, told
            told.append((at, wrong.replace(f"{copy}, ", "").replace(str(copy), str(path)), fix))
            if at is None or not 1 <= at <= len(lines) or not lines[at - 1].strip():
                return None, told
            if len(told) == MOST:
                told.append((None, f"more than {MOST} bad lines, the rest is not told", fix))
                return None, told
            lines[at - 1] = b""
