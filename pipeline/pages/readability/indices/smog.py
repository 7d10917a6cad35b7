"""SMOG grade, with the later constants for any number of sentences."""

from math import sqrt

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "smog",
    title="SMOG",
    easy="low",
    formula="1.0430 sqrt(30 complex_words / sentences) + 3.1291",
    citation="McLaughlin, 1969; constants for any number of sentences",
    textstat="smog_index",
    order=2,
)
def smog(counts: Counts) -> float:
    """Words of three syllables and more in thirty sentences."""
    return 1.0430 * sqrt(counts.complex_words * 30 / counts.sentences) + 3.1291
