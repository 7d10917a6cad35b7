"""Run files straight to what a measure sees: the level of each document, best first.

Files are read piece by piece and of a topic only its levels are kept, so that memory grows with
neither the file nor its documents. What is odd in a file (`None` here) is left to `trec.RunReader`,
which ranks the same way, repairs what a policy repairs and tells what is wrong.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.runs import compiled
from pipeline.runs.reading import ORDERS
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import pieces

UNJUDGED = 1
CODES = {"score32": 0, "score64": 1, "rank": 2}  # as the extension numbers them


@dataclass(frozen=True)
class Labels:
    """The labels of one dimension: levels by topic number (-1: in every topic) and document."""

    topic: Ints
    document: Sequence[str]
    level: Ints


@dataclass(frozen=True)
class Seen:
    """One run: its lists in the order of the file, one behind the other."""

    topic: NDArray[np.int32]  # [list]: its number among those that count
    size: NDArray[np.int64]  # [list]
    levels: tuple[NDArray[Any], ...]  # a dimension each
    score: Floats  # none, unless asked for
    tag: str  # of the last line


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked of every run, made ready once for all threads."""

    topics: tuple[bytes, bytes]  # where each id starts, and the ids
    documents: tuple[bytes, bytes]
    sides: tuple[tuple[bytes, bytes, bytes, bytes], ...]
    kind: type[np.uint8] | type[np.int32]
    order: str
    depth: int
    duplicates: str
    bad_scores: str
    scores: bool


def wanted(
    topics: Sequence[str],
    dimensions: Sequence[Labels],
    *,
    kind: type[np.uint8] | type[np.int32],
    order: str,
    depth: int,
    duplicates: str,
    bad_scores: str,
    scores: bool,
) -> Wanted | None:
    """What `Levels` needs; None where there is no extension."""
    if compiled.extension() is None:
        return None
    number: dict[str, int] = {}
    for one in dimensions:
        for name in one.document:
            number.setdefault(name, len(number))
    sides = []
    for one in dimensions:
        place = np.array([number[name] for name in one.document], np.int32)
        order_ = np.argsort(one.topic, kind="stable")
        bounds = np.searchsorted(one.topic[order_], np.arange(len(topics) + 1)).astype(np.int64)
        mine = order_[bounds[0] : bounds[-1]]
        usual = np.full(len(number), UNJUDGED, np.int32)
        usual[place[one.topic == -1]] = one.level[one.topic == -1]
        sides.append(
            (
                (bounds - bounds[0]).tobytes(),
                place[mine].tobytes(),
                one.level[mine].astype(np.int32).tobytes(),
                usual.tobytes(),
            )
        )
    return Wanted(
        topics=_ids(topics), documents=_ids(list(number)), sides=tuple(sides), kind=kind,
        order=ORDERS[order], depth=depth, duplicates=duplicates, bad_scores=bad_scores,
        scores=scores,
    )  # fmt: skip


def _ids(names: Sequence[str]) -> tuple[bytes, bytes]:
    parts = [name.encode() for name in names]
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return starts.tobytes(), b"".join(parts)


class StraightReader:
    """Reads runs one after the other; each thread has one of its own."""

    def __init__(self, asked: Wanted) -> None:
        module: Any = compiled.extension()
        self._asked = asked
        self._levels = module.Levels(
            os.urandom(16), asked.topics, asked.documents, asked.sides, CODES[asked.order],
            asked.depth, np.dtype(asked.kind).itemsize, asked.scores,
        )  # fmt: skip

    def read(self, path: Path) -> Seen | None:
        """What is seen of one run; None of an odd one."""
        self._levels.begin()
        try:
            if not all(map(self._levels.add, pieces(path))):
                return None
        except InputError:  # told by the other reader, with all that is wrong in other files
            return None
        found = self._levels.end()
        if found is None:
            return None
        topic, size, levels, score, lines, bad_scores, duplicates, tag = found
        if (
            not lines
            or (bad_scores and self._asked.bad_scores == "error")
            or (duplicates and self._asked.duplicates == "error")
        ):
            return None
        return Seen(
            np.frombuffer(topic, np.int32),
            np.frombuffer(size, np.int64),
            tuple(np.frombuffer(one, self._asked.kind) for one in levels),
            np.frombuffer(score, np.float64),
            tag.decode("utf-8", "replace"),
        )
