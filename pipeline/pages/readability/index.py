"""Readability indices, declared in `indices` as functions of a text's counts.

Engines count a text and compute all indices: `fathom` by its own counts and formulas, `textstat` by
that library, `textstat_counts` by the formulas here over textstat's counts. textstat's gunning_fog
is not equation 5 of Zuccon: it exempts easy words and splits sentences at every full stop. Releases
after 0.7.8 download a corpus when called, so an older one is pinned.
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
    """A readability index: a function of the counts of a text with at least one word."""

    formula: str
    easy: Literal["low", "high"] = "low"  # the easily readable end
    textstat: str | None = None  # the name of textstat's function


index = Index.declare
INDICES = Catalogue("readability index", "pipeline.pages.readability.indices", of=Index)


Result = tuple[Counts, dict[str, float]]


def indices(counts: Counts) -> dict[str, float]:
    """All indices, NaN for a text without words."""
    return {name: each(counts) if counts.words else nan for name, each in INDICES.items()}


def with_indices(counts: Counts) -> Result:
    """The counts of a text and all indices by the formulas here."""
    return counts, indices(counts)


def by_textstat(text: str) -> Result:
    """The counts and indices of a text by textstat, without indices that it lacks."""
    import textstat

    counts = count_by_textstat(text)
    if not counts.words:
        return counts, {}
    functions = {name: each.textstat for name, each in INDICES.items() if each.textstat}
    return counts, {name: getattr(textstat, function)(text) for name, function in functions.items()}


def count_by_textstat(text: str) -> Counts:
    """Count a text by textstat, which caches its last counts."""
    import textstat

    if not textstat.lexicon_count(text):
        return Counts()
    return Counts(**{name: getattr(textstat, f)(text) for name, f in TEXTSTAT.items()})


ENGINES: dict[str, Callable[[str], Result]] = {
    "fathom": lambda text: with_indices(count(text)),
    "textstat": by_textstat,
    "textstat_counts": lambda text: with_indices(count_by_textstat(text)),
}
