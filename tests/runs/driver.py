"""The C reader under sanitizers: `fuzz_reader.c`, compiled and spoken to."""

from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_name("fuzz_reader.c")
ORDERS = ("score32", "score64", "rank")
KNOWN = [*(f"d{n}" for n in range(20)), "a", "b", "c"]  # documents of a reader that knows some
FACTS = ("lines", "comments", "bad_scores", "duplicates", "tied", "top10_differs", "wide")


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

    def run(self) -> tuple[Any, ...] | None:
        """What was found: columns, then what the readers' `end` gives; None of an odd run."""
        read = self.number()
        assert read >= 0, "there was memory"
        if not read:
            return None
        kept, groups, *facts = self._take(2 + len(FACTS), np.int64).tolist()
        columns = tuple(self._take(kept, k).tobytes() for k in (np.int32, np.int32, np.float64))
        topics = self._take(groups, np.int32).tobytes(), self._take(groups, np.int64).tobytes()
        words = [self._take(self.number(), np.uint8).tobytes() for _ in range(2)]
        return columns, (*topics, *words, dict(zip(FACTS, facts, strict=True)))

    def ids(self) -> tuple[bytes, bytes]:
        starts = self._take(self.number() + 1, np.int64)
        return starts.tobytes(), self._take(int(starts[-1]), np.uint8).tobytes()

    def over(self) -> bool:
        return self._at == len(self._answers)
