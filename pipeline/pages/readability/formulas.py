"""Readability indices, each a formula over the same counts.

FOG is equation 5 of Zuccon, "Understandability Biased Evaluation for Information Retrieval"
(ECIR 2016): no word is exempt (Gunning's own exemptions for names, compounds and suffixes are not
part of the equation).
"""

from collections.abc import Callable, Mapping
from math import nan, sqrt

from pipeline.pages.readability.counting import Counts


def fog(counts: Counts) -> float:
    """Gunning fog, equation 5 of Zuccon (ECIR 2016)."""
    c = counts
    return 0.4 * (c.words / c.sentences + 100 * c.complex_words / c.words)


def smog(counts: Counts) -> float:
    """SMOG grade (McLaughlin, 1969), with the later constants for any number of sentences."""
    return 1.0430 * sqrt(counts.complex_words * 30 / counts.sentences) + 3.1291


def flesch_kincaid(counts: Counts) -> float:
    """Flesch-Kincaid grade (Kincaid et al., 1975)."""
    c = counts
    return 0.39 * c.words / c.sentences + 11.8 * c.syllables / c.words - 15.59


def flesch_ease(counts: Counts) -> float:
    """Flesch reading ease (Flesch, 1948): here a high value means an easy text."""
    c = counts
    return 206.835 - 1.015 * c.words / c.sentences - 84.6 * c.syllables / c.words


def coleman_liau(counts: Counts) -> float:
    """Coleman-Liau grade (1975): letters and sentences for every 100 words."""
    c = counts
    return 0.0588 * 100 * c.characters / c.words - 0.296 * 100 * c.sentences / c.words - 15.8


def ari(counts: Counts) -> float:
    """Automated readability index (Senter & Smith, 1967)."""
    c = counts
    return 4.71 * c.characters / c.words + 0.5 * c.words / c.sentences - 21.43


def dale_chall(counts: Counts) -> float:
    """New Dale-Chall score (Chall & Dale, 1995): words not on the list, and sentence length."""
    c = counts
    share = 100 * c.difficult_words / c.words
    return 0.1579 * share + 0.0496 * c.words / c.sentences + (3.6365 if share > 5 else 0.0)


INDICES: Mapping[str, Callable[[Counts], float]] = {
    "fog": fog,
    "smog": smog,
    "flesch_kincaid": flesch_kincaid,
    "flesch_ease": flesch_ease,
    "coleman_liau": coleman_liau,
    "ari": ari,
    "dale_chall": dale_chall,
}


def indices(counts: Counts) -> dict[str, float]:
    """Every index of `INDICES`, NaN where there is no word to go by."""
    if not counts.words:
        return dict.fromkeys(INDICES, nan)
    return {name: index(counts) for name, index in INDICES.items()}
