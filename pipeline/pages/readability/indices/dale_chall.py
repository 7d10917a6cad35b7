"""New Dale-Chall score: words not on the list of easy ones, and sentence length."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "dale_chall",
    title="Dale-Chall",
    easy="low",
    formula="0.1579 share + 0.0496 words / sentences + (3.6365 if share > 5), "
    "share = 100 difficult_words / words",
    citation="Chall & Dale, 1995",
    textstat="dale_chall_readability_score",
    order=7,
)
def dale_chall(counts: Counts) -> float:
    """Where more than one word in twenty is difficult, a constant is added."""
    c = counts
    share = 100 * c.difficult_words / c.words
    return 0.1579 * share + 0.0496 * c.words / c.sentences + (3.6365 if share > 5 else 0.0)
