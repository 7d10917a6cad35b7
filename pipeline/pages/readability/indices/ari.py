"""Automated readability index."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "ari",
    title="ARI",
    easy="low",
    formula="4.71 characters / words + 0.5 words / sentences - 21.43",
    citation="Senter & Smith, 1967",
    textstat="automated_readability_index",
    order=6,
)
def ari(counts: Counts) -> float:
    """Letters a word and words a sentence."""
    c = counts
    return 4.71 * c.characters / c.words + 0.5 * c.words / c.sentences - 21.43
