"""The compiled run reader: the extension `_reader`, made from C when the package is installed.

Why our own: pyarrow and polars misread double or leading spaces, and a plain Python loop costs
five times what all measures cost. Tests compare it with a slow, obvious reader.
"""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.runs.reading import LIMIT, ORDERS, Rows, Streamed, Summary
from pipeline.storage.c_sources import refuse_stale

TAKEN = 64  # pieces after which what was ranked is taken out of the reader


@cache
def extension() -> ModuleType | None:
    """The extension module, None where it was not built; refused if built from other sources."""
    try:
        from pipeline.runs import _reader
    except ImportError:
        return None
    here = Path(__file__).parent
    refuse_stale("run reader", built_from=_reader.SOURCES_DIGEST, folder=here, headers="native")
    return _reader


class CompiledReader:
    """The `Reader` in C."""

    def __init__(self, *, limit: int = LIMIT) -> None:
        module: Any = extension()
        # The key of the hash of ids; no result depends on it.
        self._reader = module.Reader(key=os.urandom(16), limit=limit)

    def read(self, content: bytes, *, order: str, depth: int) -> tuple[Rows, Summary]:
        """The ranking in `content`; `summary.error` says whether it is one."""
        columns, summary = self._reader.read(content, ORDERS[order], depth)
        types = (np.int32, np.int32, np.float64, np.int32, np.int64)
        arrays = (np.frombuffer(c, t) for c, t in zip(columns[1:], types, strict=True))
        return Rows(*arrays), Summary(**summary)

    def stream(
        self, pieces: Iterable[bytes], *, order: str, depth: int, ranks: bool
    ) -> Streamed | None:
        """The ranking in a file that comes in pieces; None of one that must be read whole."""
        self._reader.begin(ORDERS[order], depth, ranks)
        parts: tuple[list[bytearray], ...] = ([], [], [])
        for number, piece in enumerate(pieces, start=1):
            if not self._reader.add(piece):
                return None
            if number % TAKEN == 0:
                self._take(parts)
        found = self._reader.end()
        if found is None:
            return None
        self._take(parts)
        group_topic, group_size, summary, comments, first, last = found
        document, rank, score = map(_joined, parts, (np.int32, np.int32, np.float64))
        return Streamed(
            Rows(
                document, rank, score,
                np.frombuffer(group_topic, np.int32), np.frombuffer(group_size, np.int64),
            ),
            Summary(**summary),
            comments,
            first.decode("utf-8", "replace"),
            last.decode("utf-8", "replace"),
        )  # fmt: skip

    def _take(self, parts: tuple[list[bytearray], ...]) -> None:
        for mine, taken in zip(parts, self._reader.take(), strict=True):
            if taken:
                mine.append(taken)

    def topics(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each topic id starts, and the ids one after the other."""
        starts, text = self._reader.topics()
        return np.frombuffer(starts, np.int64), text

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each document id starts, and the ids one after the other."""
        starts, text = self._reader.documents()
        return np.frombuffer(starts, np.int64), text

    def find(self, starts: NDArray[np.int64], text: bytes) -> NDArray[np.int32]:
        """The numbers of some document ids; -1 of one not met."""
        return np.frombuffer(self._reader.find(starts.tobytes(), text), np.int32)


def _joined(parts: list[bytearray], kind: type[Any]) -> NDArray[Any]:
    """A column of its parts, each freed as soon as it is copied."""
    if len(parts) == 1:
        return np.frombuffer(parts.pop(), kind)
    whole = np.empty(sum(map(len, parts)) // np.dtype(kind).itemsize, kind)
    end = len(whole)
    while parts:
        part = np.frombuffer(parts.pop(), kind)
        whole[end - len(part) : end] = part
        end -= len(part)
    return whole
