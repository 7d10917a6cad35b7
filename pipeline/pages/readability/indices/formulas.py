"""Readability indices of the literature.

FOG is equation 5 of Zuccon, "Understandability Biased Evaluation for Information Retrieval" (ECIR
2016): no word is exempt (Gunning's own exemptions for names, compounds and suffixes are not part of
the equation). SMOG has the later constants for any number of sentences.
"""

from math import sqrt

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "fog",
    title="FOG",
    formula="0.4 (words / sentences + 100 complex_words / words)",
    citation="Gunning, 1952, as in equation 5 of Zuccon, ECIR 2016: no word is exempt",
    textstat="gunning_fog",
    order=1,
)
def fog(c: Counts) -> float:
    """Words per sentence and share of words with three or more syllables."""
    return 0.4 * (c.words / c.sentences + 100 * c.complex_words / c.words)


@index(
    "smog",
    title="SMOG",
    formula="1.0430 sqrt(30 complex_words / sentences) + 3.1291",
    citation="McLaughlin, 1969; constants for any number of sentences",
    textstat="smog_index",
    order=2,
)
def smog(c: Counts) -> float:
    """Words of three or more syllables in thirty sentences."""
    return 1.0430 * sqrt(c.complex_words * 30 / c.sentences) + 3.1291


@index(
    "flesch_kincaid",
    title="Flesch-Kincaid grade",
    formula="0.39 words / sentences + 11.8 syllables / words - 15.59",
    citation="Kincaid et al., 1975",
    textstat="flesch_kincaid_grade",
    order=3,
)
def flesch_kincaid(c: Counts) -> float:
    """The school grade required to read the text."""
    return 0.39 * c.words / c.sentences + 11.8 * c.syllables / c.words - 15.59


@index(
    "flesch_ease",
    title="Flesch reading ease",
    easy="high",
    formula="206.835 - 1.015 words / sentences - 84.6 syllables / words",
    citation="Flesch, 1948",
    textstat="flesch_reading_ease",
    order=4,
)
def flesch_ease(c: Counts) -> float:
    """From about 0, very hard, to about 100, very easy."""
    return 206.835 - 1.015 * c.words / c.sentences - 84.6 * c.syllables / c.words


@index(
    "coleman_liau",
    title="Coleman-Liau",
    formula="5.88 characters / words - 29.6 sentences / words - 15.8",
    citation="Coleman & Liau, 1975",
    textstat="coleman_liau_index",
    order=5,
)
def coleman_liau(c: Counts) -> float:
    """Long words and long sentences, without syllables."""
    return 0.0588 * 100 * c.characters / c.words - 0.296 * 100 * c.sentences / c.words - 15.8


@index(
    "ari",
    title="ARI",
    formula="4.71 characters / words + 0.5 words / sentences - 21.43",
    citation="Senter & Smith, 1967",
    textstat="automated_readability_index",
    order=6,
)
def ari(c: Counts) -> float:
    """Letters per word and words per sentence."""
    return 4.71 * c.characters / c.words + 0.5 * c.words / c.sentences - 21.43


@index(
    "dale_chall",
    title="Dale-Chall",
    formula="0.1579 share + 0.0496 words / sentences + (3.6365 if share > 5), "
    "share = 100 difficult_words / words",
    citation="Chall & Dale, 1995",
    textstat="dale_chall_readability_score",
    order=7,
)
def dale_chall(c: Counts) -> float:
    """A constant is added if more than 5 % of the words are difficult."""
    share = 100 * c.difficult_words / c.words
    return 0.1579 * share + 0.0496 * c.words / c.sentences + (3.6365 if share > 5 else 0.0)
