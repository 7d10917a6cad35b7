"""Gunning fog as equation 5 of Zuccon, "Understandability Biased Evaluation for Information
Retrieval" (ECIR 2016): no word is exempt (Gunning's own exemptions for names, compounds and
suffixes are not part of the equation).
"""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "fog",
    title="FOG",
    easy="low",
    formula="0.4 (words / sentences + 100 complex_words / words)",
    citation="Gunning, as equation 5 of Zuccon, ECIR 2016: no word is exempt",
    textstat="gunning_fog",
    order=1,
)
def fog(counts: Counts) -> float:
    """Words a sentence and words of three syllables and more."""
    c = counts
    return 0.4 * (c.words / c.sentences + 100 * c.complex_words / c.words)
