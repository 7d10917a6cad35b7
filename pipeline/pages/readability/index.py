"""What a readability index is: one declared function of a text's counts.

A module in `indices` with one such function is all a further index takes: its column in
readability.parquet, its name in the config and the report, and its row in the docs follow.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Literal

from pipeline.pages.readability.counting import Counts
from pipeline.registry import LAST, Catalogue, Entry

Function = Callable[[Counts], float]


@dataclass(frozen=True, kw_only=True)
class Index(Entry):
    """A readability index; called with the counts of a text it gives its value."""

    easy: Literal["low", "high"]  # which end is easy to read
    formula: str
    textstat: str | None  # what textstat calls its function for it, if it has one
    function: Function

    def __call__(self, counts: Counts) -> float:
        """The index of a text with at least one word."""
        return self.function(counts)


def index(
    name: str,
    *,
    title: str,
    easy: Literal["low", "high"],
    formula: str,
    citation: str,
    textstat: str | None = None,
    order: int = LAST,
) -> Callable[[Function], Index]:
    """Declare an index above its function; `order` is the place of its column."""

    def declare(function: Function) -> Index:
        return Index(
            name=name,
            title=title,
            easy=easy,
            formula=formula,
            citation=citation,
            textstat=textstat,
            order=order,
            function=function,
        )

    return declare


INDICES = Catalogue("readability index", "pipeline.pages.readability.indices", of=Index)


def indices(counts: Counts) -> dict[str, float]:
    """Every index there is, NaN where there is no word to go by."""
    if not counts.words:
        return dict.fromkeys(INDICES, nan)
    return {name: one(counts) for name, one in INDICES.items()}
