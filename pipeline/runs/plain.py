"""Run files line by line in Python: the faults of a run, and a reader without C.

`PlainReader` replaces the `Reader` of the extension if that was not compiled. It is slower and has
the same results, which tests check.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_float
from itertools import pairwise
from operator import or_
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.runs.format import RUN_LINE
from pipeline.storage.text import COMMENT, cut, refuse_bytes, refuse_long

RANK = re.compile(rb"[+-]?[0-9]{1,9}")
FACTS = ("lines", "comments", "bad_scores", "duplicates", "tied", "top10_differs", "wide")


def fields_of_lines(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Number and fields of each line that is not blank."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if fields := line.split():
            yield number, fields


def compared(score: float, order: str) -> float:
    """A score as rankings compare it, as a 32-bit or 64-bit float; last if not finite."""
    if not math.isfinite(score):
        return -math.inf
    return score if order == "score64" else c_float(score).value


def check_lines(path: Path, content: bytes, *, strict: Mapping[str, str]) -> str:
    """Refuse an unreadable run, or return its last tag.

    `strict` maps the kinds of faults that are errors (bad_scores, duplicates) to their fixes.
    """
    faults: dict[str, list[tuple[int, str]]] = {"bad_scores": [], "duplicates": []}
    pairs: set[tuple[bytes, bytes]] = set()
    tag = b""
    for number, fields in fields_of_lines(content):
        refuse_line(path, number, fields)
        refuse_bytes(path, number, fields[:3:2])  # the run tag may be anything
        topic, _, document, _, score, tag = fields
        if not math.isfinite(float(score)):
            faults["bad_scores"].append((number, f"the score '{score.decode()}' is not finite"))
        if (topic, document) in pairs:
            what = f"document '{document.decode()}' occurs twice in topic '{topic.decode()}'"
            faults["duplicates"].append((number, what))
        pairs.add((topic, document))
    for kind, fix in strict.items():
        if lines := faults[kind]:
            number, what = lines[0]
            raise InputError(Problem(path, f"{what} (such lines: {len(lines)})", fix, line=number))
    return tag.decode("utf-8", "replace")


def refuse_line(path: Path, line: int, fields: Sequence[bytes]) -> None:
    """Refuse a line that is not a line of a run."""
    what, fix = "", "correct it"
    if any(b"\0" in field for field in fields):
        what, fix = "a NUL byte: this is not a text file", "provide the run as text"
    elif len(fields) != 6:
        what = f"{len(fields)} fields where a run line has 6 ('{RUN_LINE}')"
        fix = "correct the line"
    elif not RANK.fullmatch(fields[3]):
        what = f"the rank '{_shown(fields[3])}' is not a whole number of up to 9 digits"
    elif not _is_number(fields[4]):
        what = f"the score '{_shown(fields[4])}' is not a number"
    if what:
        raise InputError(Problem(path, what, fix, line=line))
    refuse_long(path, line, fields[:3:2])


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return b"_" not in text  # float() takes 1_000


def _shown(field: bytes) -> str:
    return cut(field.decode("utf-8", "replace"))


class _Line(NamedTuple):
    document: bytes
    number: int  # of the document
    rank: int
    score: float


class PlainReader:
    """The `Reader` of the extension in Python; it reads a run after its last piece."""

    def __init__(
        self, _: bytes, limit: int, order: str, depth: int, ranks: bool, scores: bool,
        documents: tuple[bytes, bytes] | None,
    ) -> None:  # fmt: skip
        self._limit, self._order, self._depth = limit, order, depth
        self._ranks, self._scores, self._fixed = ranks, scores, documents is not None
        self._topics: dict[bytes, int] = {}
        self._documents: dict[bytes, int] = {}
        if documents is not None:
            starts, text = np.frombuffer(documents[0], np.int64).tolist(), documents[1]
            self._documents = {text[a:b]: n for n, (a, b) in enumerate(pairwise(starts))}
        self._content = bytearray()
        self._rows: list[_Line] = []

    def begin(self) -> None:
        self._content.clear()

    def add(self, piece: bytes) -> bool:
        self._content += piece
        return True

    def take(self) -> tuple[bytes, bytes, bytes]:
        """Documents, ranks and scores since the last call."""
        rows, self._rows = self._rows, []
        return (
            np.array([row.number for row in rows], np.int32).tobytes(),
            np.array([row.rank for row in rows if self._ranks], np.int32).tobytes(),
            np.array([row.score for row in rows if self._scores], np.float64).tobytes(),
        )

    def topics(self) -> tuple[bytes, bytes]:
        return _joined(self._topics)

    def documents(self) -> tuple[bytes, bytes]:
        return _joined(self._documents)

    def end(self) -> tuple[bytes, bytes, bytes, bytes, dict[str, int]] | None:
        """Topics, sizes, first and last tag, facts; None for a run that it declines."""
        content = bytes(self._content)
        if b"\r" in content and b"\n" not in content:
            return None
        facts = dict.fromkeys(FACTS, 0)
        content, facts["comments"] = COMMENT.subn(b"", content)
        lines: dict[int, list[_Line]] = {}  # by topic
        first = last = b""
        for number, fields in fields_of_lines(content):
            try:
                refuse_line(Path(), number, fields)
            except InputError:
                return None
            topic, _, document, rank, score, last = fields
            first = first or last
            place = self._topics.setdefault(topic, len(self._topics))
            if place in lines and place != next(reversed(lines)):  # the topic is not in one block
                return None
            if not self._fixed:
                self._documents.setdefault(document, len(self._documents))
            n = self._documents.get(document, -1)
            if max(place, n, facts["lines"]) >= self._limit:
                return None
            lines.setdefault(place, []).append(_Line(document, n, int(rank), float(score)))
            facts["lines"] += 1
            facts["wide"] += not (topic.isascii() and document.isascii())
        ranked = [self._rank(group, facts) for group in lines.values()]
        self._rows = [row for rows in ranked for row in rows]
        topics, sizes = np.array([*lines], np.int32), np.array([*map(len, ranked)], np.int64)
        return topics.tobytes(), sizes.tobytes(), first[:1000], last[:1000], facts

    def _rank(self, lines: Sequence[_Line], facts: dict[str, int]) -> list[_Line]:
        """The ranking of a topic, without duplicates, cut at the depth; updates the facts."""

        def key(line: _Line) -> tuple[float, bytes]:
            return compared(line.score, self._order), line.document

        # Tied scores: by document id descending; tied ranks: as in the file.
        by_score = sorted(lines, key=key, reverse=True)
        by_rank = sorted(lines, key=lambda line: line.rank)
        first: dict[bytes, _Line] = {}
        for line in by_rank if self._order == "rank" else by_score:
            first.setdefault(line.document, line)
        facts["bad_scores"] += sum(not math.isfinite(line.score) for line in lines)
        facts["duplicates"] += len(lines) - len(first)
        if not self._fixed:
            same = [key(a)[0] == key(b)[0] for a, b in pairwise(by_score)]
            facts["tied"] += sum(map(or_, [False, *same], [*same, False]))
            tops = ([line.document for line in order[:10]] for order in (by_rank, by_score))
            facts["top10_differs"] += next(tops) != next(tops)
        return [*first.values()][: self._depth or None]


def _joined(ids: dict[bytes, int]) -> tuple[bytes, bytes]:
    return np.cumsum([0, *map(len, ids)], dtype=np.int64).tobytes(), b"".join(ids)
