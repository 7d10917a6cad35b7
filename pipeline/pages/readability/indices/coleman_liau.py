"""Coleman-Liau grade: letters and sentences for every 100 words."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "coleman_liau",
    title="Coleman-Liau",
    easy="low",
    formula="5.88 characters / words - 29.6 sentences / words - 15.8",
    citation="Coleman & Liau, 1975",
    textstat="coleman_liau_index",
    order=5,
)
def coleman_liau(counts: Counts) -> float:
    """Long words and long sentences, without syllables."""
    c = counts
    return 0.0588 * 100 * c.characters / c.words - 0.296 * 100 * c.sentences / c.words - 15.8
