"""The two indices from words a sentence and syllables a word; of ease, a high value is easy."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "flesch_kincaid",
    title="Flesch-Kincaid grade",
    easy="low",
    formula="0.39 words / sentences + 11.8 syllables / words - 15.59",
    citation="Kincaid et al., 1975",
    textstat="flesch_kincaid_grade",
    order=3,
)
def flesch_kincaid(counts: Counts) -> float:
    """The school grade a reader needs."""
    c = counts
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
def flesch_ease(counts: Counts) -> float:
    """From about 0, very hard, to about 100, very easy."""
    c = counts
    return 206.835 - 1.015 * c.words / c.sentences - 84.6 * c.syllables / c.words
