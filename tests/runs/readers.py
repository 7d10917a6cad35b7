"""The library's two run readers side by side: whatever is read, both must say the same."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pipeline.runs import reader
from pipeline.runs.plain import PlainReader
from pipeline.runs.reader import RunPolicies, RunReader

EXTENSION = reader.extension()
needs_extension = pytest.mark.skipif(EXTENSION is None, reason="the compiled reader is not built")
LENIENT = {"duplicates": "first", "bad_scores": "last"}


def names(ids: tuple[bytes, bytes]) -> list[bytes]:
    """Ids by number."""
    starts, text = ids
    return [text[a:b] for a, b in pairwise(np.frombuffer(starts, np.int64).tolist())]


class Both:
    """A `Reader` that reads with both; with the plain one alone where there is no compiler."""

    def __init__(self, *given: Any) -> None:
        self._plain = PlainReader(*given)
        self._compiled: Any = EXTENSION.Reader(*given) if EXTENSION else self._plain

    def begin(self) -> None:
        self._plain.begin()
        self._compiled.begin()

    def add(self, piece: bytes) -> bool:
        self._plain.add(piece)
        good: bool = self._compiled is self._plain or self._compiled.add(piece)
        if not good:
            self._plain.end()  # numbers the ids that it has
        return good

    def end(self) -> Any:
        found = self._plain.end()
        if self._compiled is self._plain:
            return found
        again = self._compiled.end()
        if again is not None:
            assert found is not None
            assert [bytes(one) for one in again[1:4]] == list(found[1:4])
            assert again[4] == found[4]
            assert self._named(self._compiled, again[0], 0) == self._named(self._plain, found[0], 0)
        return again

    def take(self) -> Any:
        if self._compiled is self._plain:
            return self._plain.take()
        mine, theirs = self._plain.take(), self._compiled.take()
        assert self._named(self._plain, mine[0], 1) == self._named(self._compiled, theirs[0], 1)
        assert list(mine[1:]) == [bytes(one) for one in theirs[1:]]
        return theirs

    @staticmethod
    def _named(of: Any, numbers: bytes, documents: int) -> list[bytes]:
        known = [*names(of.documents() if documents else of.topics()), b"not known"]
        return [known[n] for n in np.frombuffer(numbers, np.int32).tolist()]

    def topics(self) -> Any:
        return self._compiled.topics()

    def documents(self) -> Any:
        return self._compiled.documents()


class _Module:
    """Stands for the extension."""

    Reader = Both


def both(patch: pytest.MonkeyPatch) -> None:
    """Every file is read by both readers from now on."""
    patch.setattr(reader, "extension", lambda: _Module)


def run_reader(*, order: str = "score", depth: int = 0, **given: Any) -> RunReader:
    """A reader that lets everything through that can be ranked."""
    return RunReader(RunPolicies(order=order, depth=depth, **LENIENT), **given)
