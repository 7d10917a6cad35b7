"""A readability index: one declared function of a text's counts, in a module of `indices`.

Its column in readability.parquet, its name in the config and the report, and its row in the docs
follow from the declaration.

Engines count a text and compute all indices: our own counts, textstat's, and those in our formulas.
textstat's gunning_fog is not equation 5: it exempts a list of easy words and splits sentences at
every full stop. `textstat_counts` shows its counts without its exemptions. Releases after 0.7.8
fetch a corpus when called, so an older one is pinned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Literal

from pipeline.pages.readability.counting import Counts, count
from pipeline.registry import Catalogue, Declared

TEXTSTAT = {
    "words": "lexicon_count",
    "sentences": "sentence_count",
    "syllables": "syllable_count",
    "complex_words": "polysyllabcount",
    "characters": "letter_count",
    "difficult_words": "difficult_words",
}


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


def fathom(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts and indices of one text by our own rules."""
    counts = count(text)
    return counts, indices(counts)


def by_textstat(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts and indices of one text by textstat; an index it does not have is left out."""
    import textstat

    counts = counted(text)
    if not counts.words:
        return counts, {}
    known = {name: one.textstat for name, one in INDICES.items() if one.textstat}
    return counts, {name: getattr(textstat, theirs)(text) for name, theirs in known.items()}


def textstat_counts(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts of one text by textstat, and every index from them."""
    counts = counted(text)
    return counts, indices(counts)


def counted(text: str) -> Counts:
    """What textstat counts; it remembers its counts of the last texts, so asking again is cheap."""
    import textstat

    if not textstat.lexicon_count(text):
        return Counts()
    return Counts(**{name: getattr(textstat, theirs)(text) for name, theirs in TEXTSTAT.items()})


ENGINES: dict[str, Callable[[str], tuple[Counts, dict[str, float]]]] = {
    "fathom": fathom,
    "textstat": by_textstat,
    "textstat_counts": textstat_counts,
}
