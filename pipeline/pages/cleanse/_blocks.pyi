"""The compiled block method, `_blocks.c`."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

SOURCES_DIGEST: str
FEATURES: tuple[tuple[str, str], ...]

class Described(TypedDict):
    text: str
    words: int
    linked: int
    tag: str
    depth: int
    score: float
    features: bytearray

class Blocks:
    def __new__(cls, groups: Sequence[tuple[bool, Iterable[str]]], weights: bytes) -> Blocks: ...
    def text(self, page: bytes) -> tuple[str, int]: ...
    def describe(self, page: bytes) -> list[Described]: ...
