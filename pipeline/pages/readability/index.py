"""A readability index: one declared function of a text's counts, in a module of `indices`.

Its column in readability.parquet, its name in the config and the report, and its row in the docs
follow from the declaration.
"""

from dataclasses import dataclass
from math import nan
from typing import Literal

from pipeline.pages.readability.counting import Counts
from pipeline.registry import Catalogue, Declared


@dataclass(frozen=True, kw_only=True)
class Index(Declared[[Counts], float]):
    """A readability index: called with the counts of a text with a word it returns its value."""

    formula: str
    easy: Literal["low", "high"] = "low"  # which end is easy to read
    textstat: str | None = None  # what textstat calls its function for it


index = Index.declare
INDICES = Catalogue("readability index", "pipeline.pages.readability.indices", of=Index)


def indices(counts: Counts) -> dict[str, float]:
    """Every index there is, NaN where there is no word to go by."""
    return {name: one(counts) if counts.words else nan for name, one in INDICES.items()}
