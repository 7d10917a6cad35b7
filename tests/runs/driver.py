"""The C reader under sanitizers: `fuzz_reader.c`, compiled and spoken to."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.runs.reading import Rows, Summary

SOURCE = Path(__file__).with_name("fuzz_reader.c")
ORDERS = ("score32", "score64", "rank")
ERRORS = ("", "memory", "binary", "fields", "rank", "score", "too many")
NAMES = (
    "line", "at", "size", "fields", "lines", "rows", "topics", "duplicates", "duplicate_line",
    "bad_scores", "bad_score_line", "tied", "top10_differs", "tag_at", "tag_size",
)  # fmt: skip


@dataclass
class Straight:
    """A run read straight to levels: each topic with its levels in two dimensions, and scores."""

    lists: dict[str, tuple[list[list[int]], list[float]]]
    lines: int
    bad_scores: int
    duplicates: int
    tag: bytes


def level(document: str, topic: str, dimension: int) -> int:
    """The level that `fuzz_reader.c` gives a document."""
    names = [*(f"d{n}" for n in range(20)), "a", "b", "c"]
    if document not in names:
        return 1
    n = names.index(document)
    if (n + int(topic) + dimension) % 2 == 0:
        return 2 + n % 5
    return 9 if dimension and not n else 1


class Answers:
    """The answers one after the other."""

    def __init__(self, answers: bytes) -> None:
        self._answers, self._at = answers, 0

    def _take(self, count: int, kind: type) -> np.ndarray:
        values = np.frombuffer(self._answers, kind, count, self._at)
        self._at += values.nbytes
        return values

    def number(self) -> int:
        return int(self._take(1, np.int64)[0])

    def run(self) -> tuple[Rows, Summary]:
        error = ERRORS[self.number()]
        values = dict(zip(NAMES, self._take(len(NAMES), np.int64).tolist(), strict=True))
        rows, topics = values["rows"], values["topics"]
        columns = [self._take(rows, k) for k in (np.int32, np.int32, np.int32, np.float64)]
        columns += [self._take(topics, np.int32), self._take(topics, np.int64)]
        found = Rows(*columns[1:])
        assert np.array_equal(found.topic, columns[0])
        return found, Summary(error=error, **values)

    def stream(self) -> tuple[Rows, tuple[int, ...], bytes, bytes] | None:
        """What was found in pieces: rows, numbers, the first and the last tag; None if odd."""
        read = self.number()
        assert read >= 0, "there was memory"
        if not read:
            return None
        numbers = tuple(self._take(11, np.int64).tolist())
        kinds = (np.int32, np.int32, np.float64)
        columns = [self._take(numbers[2], kind) for kind in kinds]
        columns += [self._take(numbers[3], np.int32), self._take(numbers[3], np.int64)]
        first, last = (self._take(self.number(), np.uint8).tobytes() for _ in range(2))
        return Rows(*columns), numbers, first, last

    def levels(self) -> Straight | None:
        """What was found straight; None of an odd run."""
        read = self.number()
        assert read >= 0, "there was memory"
        if not read:
            return None
        groups, kept, lines, bad_scores, duplicates = self._take(5, np.int64).tolist()
        topics = self._take(groups, np.int32).tolist()
        sizes = self._take(groups, np.int64).tolist()
        levels = [self._take(kept, np.int32).tolist() for _ in range(2)]
        score = self._take(kept, np.float64).tolist()
        tag = self._take(self.number(), np.uint8).tobytes()
        lists = {}
        start = 0
        for topic, size in zip(topics, sizes, strict=True):
            part = slice(start, start + size)
            lists[str(topic)] = ([one[part] for one in levels], score[part])
            start += size
        return Straight(lists, lines, bad_scores, duplicates, tag)

    def ids(self) -> tuple[list[int], bytes]:
        starts = self._take(self.number() + 1, np.int64).tolist()
        return starts, self._take(starts[-1], np.uint8).tobytes()

    def over(self) -> bool:
        return self._at == len(self._answers)
