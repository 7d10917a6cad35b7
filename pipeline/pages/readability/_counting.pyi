"""The compiled counter; `_counting.c` has what it does."""

from collections.abc import Iterable

SOURCES_DIGEST: str

class Counter:
    def __new__(
        cls,
        *,
        dictionary: bytes,
        easy: bytes,
        endings: Iterable[tuple[str, str]],
        never: Iterable[str],
        before_digit: Iterable[str],
        before_lower: Iterable[str],
        most: int,
    ) -> Counter: ...
    def count(self, text: str) -> tuple[tuple[int, int, int, int, int, int], list[str]]: ...
