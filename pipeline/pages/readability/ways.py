"""The ways from a page to its readability: how it is cleansed, and who counts its text.

What Palotti, Zuccon & Hanbury (CIKM 2015) vary: the cleansing, and whether a block's end ends a
sentence; and, beyond them, the counter.
"""

from dataclasses import dataclass, replace
from itertools import product

from pipeline.pages.cleanse.method import METHODS
from pipeline.pages.readability.engine import ENGINES


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to cleanse and to count."""

    method: str
    engine: str
    sentence_ends: bool


def ways(chosen: Way) -> list[Way]:
    """Every method with every counter, the chosen one first; and that with other sentence ends."""
    crossed = [
        replace(chosen, method=method, engine=engine)
        for method, engine in product(METHODS, ENGINES)
    ]
    other = replace(chosen, sentence_ends=not chosen.sentence_ends)
    return [chosen, other, *(way for way in crossed if way != chosen)]
