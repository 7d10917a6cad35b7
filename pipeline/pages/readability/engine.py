"""Readability engines, who count a text: our own counts, textstat's, and those in our formulas.

textstat's gunning_fog is not equation 5: it exempts a list of easy words and splits sentences at
every full stop. `textstat_counts` shows its counts without its exemptions. Releases after 0.7.8
fetch a corpus when called, so an older one is pinned.
"""

from collections.abc import Callable

from pipeline.pages.readability.counting import Counts, count
from pipeline.pages.readability.index import INDICES, indices

TEXTSTAT = {
    "words": "lexicon_count",
    "sentences": "sentence_count",
    "syllables": "syllable_count",
    "complex_words": "polysyllabcount",
    "characters": "letter_count",
    "difficult_words": "difficult_words",
}


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
