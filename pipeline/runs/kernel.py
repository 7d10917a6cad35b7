"""The compiled run reader (`_kernel.c`), bound with ctypes.

Why our own: pyarrow and polars misread double or leading spaces, and a plain Python loop costs
five times what all measures cost. Tests compare it with a slow, obvious reader.
"""

import ctypes
import hashlib
import os
import shlex
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage.atomic import atomic

ORDERS = {"score": 0, "score32": 0, "score64": 1, "rank": 2}
NO_MEMORY, BINARY, FIELDS, BAD_RANK, BAD_SCORE = 1, 2, 3, 4, 5


class Summary(ctypes.Structure):
    """What the reader found in one run; the fields of the C struct of the same name."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        (name, ctypes.c_int64)
        for name in (
            "error", "line", "at", "size", "fields", "lines", "rows", "topics",
            "duplicates", "duplicate_line", "duplicate_document",
            "bad_scores", "bad_score_line", "tied", "top10_differs", "tag_at", "tag_size",
        )
    ]  # fmt: skip
    error: int
    line: int
    at: int
    size: int
    fields: int
    lines: int
    rows: int
    topics: int
    duplicates: int
    duplicate_line: int
    duplicate_document: int
    bad_scores: int
    bad_score_line: int
    tied: int
    top10_differs: int
    tag_at: int
    tag_size: int


def build() -> Path:
    """Compile `_kernel.c`, once per version of it, and say where the library is.

    Done at first use rather than at installation: so a plain checkout works wherever there is a
    C compiler, and an edited source is never served by a stale library.
    """
    source = Path(__file__).with_name("_kernel.c")
    version = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    name = f"_kernel-{version}-{sysconfig.get_platform()}.so"
    here = source.parent
    folder = here if os.access(here, os.W_OK) else Path(tempfile.gettempdir())
    library = folder / name
    if library.exists():
        return library
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with atomic(library) as draft:
        command = [*compiler, "-O3", "-shared", "-fPIC", "-o", str(draft), str(source), "-lm"]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except FileNotFoundError:
            raise InputError(
                f"no C compiler called '{compiler[0]}'; install gcc or clang, or name yours in CC"
            ) from None
        except subprocess.CalledProcessError as error:
            raise InputError(f"{source.name} does not compile: {error.stderr.strip()}") from None
    return library


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(build()))
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    library.fathom_reader_new.restype = pointer
    library.fathom_reader_free.argtypes = [pointer]
    library.fathom_names.argtypes = [pointer, ctypes.c_int, pointer, pointer]
    library.fathom_names.restype = number
    library.fathom_count_lines.argtypes = [ctypes.c_char_p, number]
    library.fathom_count_lines.restype = number
    library.fathom_read_run.argtypes = [
        pointer, ctypes.c_char_p, number, ctypes.c_int, number, *[pointer] * 8,
    ]  # fmt: skip
    library.fathom_read_run.restype = number
    return library


class Rows:
    """One run's ranking: per group (topic) its size, per row document number, score and rank."""

    def __init__(self, room: int) -> None:
        self.topic = np.empty(room, np.int32)
        self.document = np.empty(room, np.int32)
        self.rank = np.empty(room, np.int32)
        self.score = np.empty(room, np.float64)
        self.line = np.empty(room, np.int32)
        self.group_topic = np.empty(room, np.int32)
        self.group_size = np.empty(room, np.int64)

    def trimmed(self, rows: int, groups: int) -> "Rows":
        """A copy of what was filled."""
        kept = Rows(0)
        for name in ("topic", "document", "rank", "score"):
            setattr(kept, name, getattr(self, name)[:rows].copy())
        kept.group_topic = self.group_topic[:groups].copy()
        kept.group_size = self.group_size[:groups].copy()
        return kept


class Reader:
    """Reads runs one after the other; equal ids get equal numbers across all of them."""

    def __init__(self) -> None:
        self._library = _library()
        self._handle = self._library.fathom_reader_new()
        if not self._handle:
            raise MemoryError("no memory for the run reader")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.fathom_reader_free(self._handle)

    def read(self, content: bytes, *, order: str, depth: int) -> tuple[Rows, Summary]:
        """The ranking in `content`; `summary.error` says whether it is one."""
        rows = Rows(self._library.fathom_count_lines(content, len(content)))
        summary = Summary()
        columns = (rows.topic, rows.document, rows.rank, rows.score, rows.line,
                   rows.group_topic, rows.group_size)  # fmt: skip
        self._library.fathom_read_run(
            self._handle, content, len(content), ORDERS[order], depth,
            *(column.ctypes.data for column in columns), ctypes.byref(summary),
        )  # fmt: skip
        if summary.error == NO_MEMORY:
            raise MemoryError("no memory left while reading a run")
        return rows.trimmed(summary.rows, summary.topics), summary

    def topics(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each topic id starts, and the ids one after the other."""
        return self._names(0)

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each document id starts, and the ids one after the other."""
        return self._names(1)

    def _names(self, which: int) -> tuple[NDArray[np.int64], bytes]:
        start, text = ctypes.c_void_p(), ctypes.c_void_p()
        count = self._library.fathom_names(
            self._handle, which, ctypes.byref(start), ctypes.byref(text)
        )
        assert start.value is not None
        assert text.value is not None
        starts = np.ctypeslib.as_array(
            ctypes.cast(start.value, ctypes.POINTER(ctypes.c_int64)), (count + 1,)
        ).copy()
        return starts, ctypes.string_at(text.value, int(starts[-1]))


if __name__ == "__main__":
    print(build())
