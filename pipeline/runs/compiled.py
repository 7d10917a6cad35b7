"""The compiled run reader: the extension `_reader`, made from C when the package is installed.

Why our own: pyarrow and polars misread double or leading spaces, and a plain Python loop costs
five times what all measures cost. Tests compare it with a slow, obvious reader.
"""

import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.runs.reading import LIMIT, ORDERS, Rows, Summary
from pipeline.storage.c_sources import refuse_stale


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
        types = (np.int32, np.int32, np.int32, np.float64, np.int32, np.int64)
        arrays = (np.frombuffer(c, t) for c, t in zip(columns, types, strict=True))
        return Rows(*arrays), Summary(**summary)

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
