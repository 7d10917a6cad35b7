"""The second engine: textstat's own counts and formulas, for comparison with published figures.

It is not equation 5: its gunning_fog exempts a list of easy words and splits sentences at every
full stop. Releases after 0.7.8 fetch a corpus when called, so an older one is pinned.
"""

from pipeline.pages.readability.counting import Counts


def measure(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts and indices of one text, as textstat has them."""
    import textstat

    words = textstat.lexicon_count(text)
    if not words:
        return Counts(0, 0, 0, 0, 0, 0), {}
    counts = Counts(
        words=words,
        sentences=textstat.sentence_count(text),
        syllables=textstat.syllable_count(text),
        complex_words=textstat.polysyllabcount(text),
        characters=textstat.letter_count(text),
        difficult_words=textstat.difficult_words(text),
    )
    return counts, {
        "fog": textstat.gunning_fog(text),
        "smog": textstat.smog_index(text),
        "flesch_kincaid": textstat.flesch_kincaid_grade(text),
        "flesch_ease": textstat.flesch_reading_ease(text),
        "coleman_liau": textstat.coleman_liau_index(text),
        "ari": textstat.automated_readability_index(text),
        "dale_chall": textstat.dale_chall_readability_score(text),
    }
