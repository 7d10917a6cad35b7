"""The C reader under sanitizers: `fuzz_reader.c`, compiled and spoken to."""

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
        return Rows(*columns), Summary(error=error, **values)

    def ids(self) -> tuple[list[int], bytes]:
        starts = self._take(self.number() + 1, np.int64).tolist()
        return starts, self._take(starts[-1], np.uint8).tobytes()

    def over(self) -> bool:
        return self._at == len(self._answers)
