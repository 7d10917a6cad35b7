"""The run reader in Python and numpy, for where no C compiler built the other one.

Slower and more obvious, with the same results, errors and line numbers; tests compare the two.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.runs.reading import (
    BAD_RANK,
    BAD_SCORE,
    BINARY,
    FIELDS,
    LIMIT,
    ORDERS,
    TOO_MANY,
    Rows,
    Summary,
)
from pipeline.storage.arrays import Bools, Floats, Ints

RANK = re.compile(rb"[+-]?[0-9]{1,9}")


@dataclass(frozen=True)
class _Lines:
    """The lines of a run in the file's order, a column a field."""

    topic: Ints
    document: Ints
    rank: Ints
    score: Floats
    number: Ints  # of the line in the file
    group: Ints  # topics in the order they first appear in the run
    place: Ints  # of the document's id in the byte order of all


class _Fault(Exception):
    """What makes a run unreadable: with FIELDS how many there are, else which field if one is."""

    def __init__(self, error: str, *, fields: int = 0, field: int | None = None) -> None:
        super().__init__(error)
        self.error, self.fields, self.field = error, fields, field


class PlainReader:
    """The `Reader` in Python."""

    def __init__(self, *, limit: int = LIMIT) -> None:
        self._limit = limit
        self._topics: dict[bytes, int] = {}
        self._documents: dict[bytes, int] = {}

    def read(self, content: bytes, *, order: str, depth: int) -> tuple[Rows, Summary]:
        """The ranking in `content`; `summary.error` says whether it is one."""
        lines, summary = self._lines(content)
        return _ranked(lines, order=ORDERS[order], depth=depth, summary=summary)

    def stream(self, pieces: Iterable[bytes], *, order: str, depth: int, ranks: bool) -> None:
        """None: files are read whole, since only the compiled reader is of use for large ones."""

    def topics(self) -> tuple[Ints, bytes]:
        """Where each topic id starts, and the ids one after the other."""
        return _joined(self._topics)

    def documents(self) -> tuple[Ints, bytes]:
        """Where each document id starts, and the ids one after the other."""
        return _joined(self._documents)

    def find(self, starts: Ints, text: bytes) -> NDArray[np.int32]:
        """The numbers of some document ids; -1 of one not met."""
        ids = (text[a:b] for a, b in pairwise(starts.tolist()))
        return np.array([self._documents.get(one, -1) for one in ids], np.int32)

    def _lines(self, content: bytes) -> tuple[_Lines, Summary]:
        """The lines of a run that have content; none of them if one cannot be read."""
        lines: list[tuple[int, int, bytes, int, float, int]] = []
        number, at, tag = 0, 0, (0, 0)
        texts = content.split(b"\n")
        if not texts[-1]:
            texts.pop()  # behind the last line end there is no line
        for number, text in enumerate(texts, start=1):
            fields = text.split()
            if fields:
                try:
                    lines.append((*self._line(text, fields, before=len(lines)), number))
                except _Fault as fault:
                    start, size = _place(text, fields, fault.field, at=at)
                    return _columns([]), Summary(
                        error=fault.error, line=number, fields=fault.fields, at=start, size=size
                    )
                if len(lines) == 1:
                    tag = _place(text, fields, 5, at=at)
            at += len(text) + 1
        columns = _columns(lines)
        bad = columns.number[~np.isfinite(columns.score)]
        return columns, Summary(
            error="", line=number, lines=len(lines), tag_at=tag[0], tag_size=tag[1],
            bad_scores=len(bad), bad_score_line=int(bad[0]) if len(bad) else 0,
        )  # fmt: skip

    def _line(
        self, text: bytes, fields: Sequence[bytes], *, before: int
    ) -> tuple[int, int, bytes, int, float]:
        if b"\0" in text:
            raise _Fault(BINARY)
        if len(fields) != 6:
            raise _Fault(FIELDS, fields=len(fields))
        if before == self._limit:
            raise _Fault(TOO_MANY)
        topic, _, document, rank, score, _ = fields
        if not RANK.fullmatch(rank):
            raise _Fault(BAD_RANK, field=3)
        try:
            value = float(score)
        except ValueError:
            raise _Fault(BAD_SCORE, field=4) from None
        if b"_" in score:  # float() takes 1_000
            raise _Fault(BAD_SCORE, field=4)
        topic_number = self._topics.setdefault(topic, len(self._topics))
        document_number = self._documents.setdefault(document, len(self._documents))
        if topic_number >= self._limit or document_number >= self._limit:
            raise _Fault(TOO_MANY)
        return topic_number, document_number, document, int(rank), value


def _place(text: bytes, fields: Sequence[bytes], wanted: int | None, *, at: int) -> tuple[int, int]:
    """Where a field of the line that begins at `at` stands in the file, and its size."""
    if wanted is None:
        return 0, 0
    start = end = 0
    for field in fields[: wanted + 1]:
        start = text.index(field, end)
        end = start + len(field)
    return at + start, end - start


def _columns(lines: Sequence[tuple[int, int, bytes, int, float, int]]) -> _Lines:
    topic, document, ids, rank, score, number = zip(*lines, strict=True) if lines else [()] * 6
    group = {number: place for place, number in enumerate(dict.fromkeys(topic))}
    names = np.empty(len(ids), object)
    names[:] = ids
    return _Lines(
        np.array(topic, np.int64),
        np.array(document, np.int64),
        np.array(rank, np.int64),
        np.array(score, np.float64),
        np.array(number, np.int64),
        np.array([group[number] for number in topic], np.int64),
        np.unique(names, return_inverse=True)[1].astype(np.int64),
    )


def _scores(score: Floats, *, order: str) -> Floats:
    """Scores as they are compared."""
    with np.errstate(over="ignore"):  # beyond 32 bits is infinite
        compared = score if order == "score64" else score.astype(np.float32).astype(np.float64)
    # Only met where the policy puts them last.
    return np.where(np.isfinite(score), compared, -np.inf)


def _ranked(lines: _Lines, *, order: str, depth: int, summary: Summary) -> tuple[Rows, Summary]:
    """Each topic in order, without duplicates and cut, and what is odd about them."""
    score = _scores(lines.score, order=order)
    by_score = np.lexsort((-lines.place, -score, lines.group))  # ties by document id descending
    by_rank = np.lexsort((lines.rank, lines.group))  # ties as in the file
    chosen = by_rank if order == "rank" else by_score
    kept, repeats = _without_duplicates(lines, chosen)
    rows = chosen[kept]
    rows = rows[_within(lines.group[rows], depth)] if depth else rows
    groups, first, sizes = np.unique(lines.group[rows], return_index=True, return_counts=True)
    found = Rows(
        document=lines.document[rows].astype(np.int32),
        rank=lines.rank[rows].astype(np.int32),
        score=lines.score[rows],
        group_topic=lines.topic[rows[first]].astype(np.int32),
        group_size=sizes.astype(np.int64),
    )
    group = lines.group[by_rank]  # the same by score: topics are apart
    top = _within(group, 10) & (lines.document[by_rank] != lines.document[by_score])
    same = (np.diff(group) == 0) & (score[by_score][1:] == score[by_score][:-1])
    return found, replace(
        summary,
        rows=len(rows),
        topics=len(groups),
        duplicates=len(repeats),
        duplicate_line=int(repeats.min()) if len(repeats) else 0,
        tied=int(np.sum(np.append(same, False) | np.append(False, same))) if len(group) else 0,
        top10_differs=len(np.unique(group[top])),
    )


def _within(group: Ints, depth: int) -> Bools:
    """Which rows are among the first `depth` of their group; groups are one after the other."""
    _, first, sizes = np.unique(group, return_index=True, return_counts=True)
    within: Bools = np.arange(len(group)) - np.repeat(first, sizes) < depth
    return within


def _without_duplicates(lines: _Lines, ranking: Ints) -> tuple[Bools, Ints]:
    """Which rows of a ranking stay, and per row that goes the later line of the two."""
    pairs = lines.group[ranking] * (lines.document.max(initial=0) + 1) + lines.document[ranking]
    _, first, pair = np.unique(pairs, return_index=True, return_inverse=True)
    kept = np.zeros(len(ranking), np.bool_)
    kept[first] = True
    number = lines.number[ranking]
    return kept, np.maximum(number, number[first[pair]])[~kept]


def _joined(ids: Iterable[bytes]) -> tuple[Ints, bytes]:
    texts = list(ids)
    starts = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=starts[1:])
    return starts, b"".join(texts)
