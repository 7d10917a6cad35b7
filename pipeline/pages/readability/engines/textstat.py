"""The second engine: textstat's own counts and formulas, for comparison with published figures.

It is not equation 5: its gunning_fog exempts a list of easy words and splits sentences at every
full stop. Releases after 0.7.8 fetch a corpus when called, so an older one is pinned.
"""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.engine import engine
from pipeline.pages.readability.index import INDICES


@engine("textstat", title="textstat's own counts and formulas", order=2)
def by_textstat(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts of one text, and the indices that textstat has, too."""
    import textstat

    counts = counted(text)
    if not counts.words:
        return counts, {}
    known = {name: one.textstat for name, one in INDICES.items() if one.textstat}
    return counts, {name: getattr(textstat, theirs)(text) for name, theirs in known.items()}


def counted(text: str) -> Counts:
    """What textstat counts; it remembers its counts of the last texts, so asking again is cheap."""
    import textstat

    words = textstat.lexicon_count(text)
    if not words:
        return Counts(0, 0, 0, 0, 0, 0)
    return Counts(
        words=words,
        sentences=textstat.sentence_count(text),
        syllables=textstat.syllable_count(text),
        complex_words=textstat.polysyllabcount(text),
        characters=textstat.letter_count(text),
        difficult_words=textstat.difficult_words(text),
    )
