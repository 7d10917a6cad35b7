"""The library's two run readers side by side: whatever is read, both must say the same."""

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.runs import compiled
from pipeline.runs.compiled import CompiledReader
from pipeline.runs.plain import PlainReader
from pipeline.runs.reading import LIMIT, TOO_MANY, Rows, Streamed, Summary
from pipeline.storage.text import COMMENT


def same_rows(one: Rows, other: Rows) -> bool:
    """Whether two rankings are the same bytes of the same kind (NaN is itself then)."""
    pairs = [(getattr(one, f.name), getattr(other, f.name)) for f in fields(Rows)]
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in pairs)


class Both:
    """A reader that reads with both; with the plain one alone where there is no compiler."""

    def __init__(self, *, limit: int = LIMIT) -> None:
        self._plain = PlainReader(limit=limit)
        self._compiled = CompiledReader(limit=limit) if compiled.extension() else None

    def read(self, content: bytes, *, order: str, depth: int) -> tuple[Rows, Summary]:
        rows, summary = self._plain.read(content, order=order, depth=depth)
        if self._compiled is not None:
            again, said = self._compiled.read(content, order=order, depth=depth)
            assert said == summary
            assert same_rows(again, rows)
            if summary.error != TOO_MANY:  # a reader that is full has no further use
                self.topics(), self.documents()
        return rows, summary

    def stream(
        self, pieces: Iterable[bytes], *, order: str, depth: int, ranks: bool
    ) -> Streamed | None:
        """In pieces by the compiled reader, whole by the plain one."""
        every = list(pieces)
        if self._compiled is None:
            return None
        found = self._compiled.stream(every, order=order, depth=depth, ranks=ranks)
        if found is not None:
            content, comments = COMMENT.subn(b"", b"".join(every))
            rows, summary = self._plain.read(content, order=order, depth=depth)
            tag = content[summary.tag_at : summary.tag_at + summary.tag_size]
            assert found.first_tag == tag.decode("utf-8", "replace")
            assert found.comments == comments
            assert found.summary == replace(summary, tag_at=0, tag_size=0)
            assert same_rows(found.rows, rows)
            self.topics(), self.documents()
        return found

    def topics(self) -> tuple[NDArray[np.int64], bytes]:
        starts, text = self._plain.topics()
        if self._compiled is not None:
            again, same = self._compiled.topics()
            assert (again.tolist(), same) == (starts.tolist(), text)
        return starts, text

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        starts, text = self._plain.documents()
        if self._compiled is not None:
            again, same = self._compiled.documents()
            assert (again.tolist(), same) == (starts.tolist(), text)
        return starts, text
