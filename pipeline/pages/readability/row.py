"""What is told of one page: its counts, its indices and its reason."""

import struct
from collections.abc import Sequence
from functools import cache
from math import nan
from typing import Any

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.engine import Engine
from pipeline.pages.readability.index import INDICES

NOTHING = Counts(0, 0, 0, 0, 0, 0)


def row(text: str, reason: str, engine: Engine) -> tuple[Any, ...]:
    """Counts, indices and the reason of one page.

    A page without words has NaN indices and the reason: the one cleansing gave, or `no words`. So
    has one whose text is not to be counted, because it is in another language.
    """
    counts, found = engine(text) if not reason else (NOTHING, {})
    why = "" if counts.words else reason or "no words"
    return *counts, *(found.get(name, nan) for name in INDICES), why


@cache
def _form() -> struct.Struct:
    return struct.Struct(f"={len(Counts._fields)}q{len(INDICES)}d")


def pack(values: Sequence[Any]) -> bytes:
    """Counts and indices as they go from one process to the other."""
    return _form().pack(*values)


def unpack(packed: bytes) -> tuple[Any, ...]:
    """Counts and indices; those of nothing where a page has no answer."""
    return _form().unpack(packed) if packed else (*NOTHING, *[nan] * len(INDICES))
