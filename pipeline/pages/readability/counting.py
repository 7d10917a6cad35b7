"""Count words, sentences, syllables and the other statistics of a text in one pass.

docs/counting.md explains the rules. The counter is compiled (`_counting`), because counting in
Python is slower than parsing. The Python counter is its reference in tests, and the fallback.
"""

import unicodedata
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from pipeline.pages.readability import words as in_python
from pipeline.storage.c_sources import compiled

if TYPE_CHECKING:
    from pipeline.pages.readability._counting import Counter


class Counts(NamedTuple):
    """The counts of a text; `difficult_words` by Dale and Chall's list."""

    words: int = 0
    sentences: int = 0
    syllables: int = 0
    complex_words: int = 0
    characters: int = 0
    difficult_words: int = 0


def extension() -> ModuleType | None:
    """The compiled counter, or None if it was not built."""
    return compiled("pipeline.pages.readability._counting", "counter", headers="native")


@cache
def counter() -> "Counter | None":
    """The compiled counter with its word lists, or None if it was not built."""
    module = extension()
    if module is None:
        return None
    native: Counter = module.Counter(
        dictionary=in_python.pronunciations(),
        easy="".join(f"{word}\n" for word in in_python.easy_words()).encode(),
        endings=in_python.ENDINGS,
        never=in_python.NEVER,
        before_digit=in_python.BEFORE_DIGIT,
        before_lower=in_python.BEFORE_LOWER,
        most=in_python.MOST,
    )
    return native


def count(text: str) -> Counts:
    """Count a text; all counts are 0 if it has no word."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    native = counter()
    if native is None:
        return count_in_python(text)
    try:
        counts, uncounted = native.count(text)
    except UnicodeEncodeError:  # an unpaired surrogate
        return count_in_python(text)
    return Counts(*in_python.add_up([counts, _count_uncounted(uncounted)]) if uncounted else counts)


def count_in_python(text: str) -> Counts:
    """Count a text, normalised by NFKC, without the compiled counter."""
    counts = Counts(*in_python.of_pieces(text.split()))
    return counts._replace(sentences=in_python.sentences(text)) if counts.words else counts


def _look_up(word: str) -> tuple[int, bool]:
    """Syllables and difficulty of a word by the compiled counter, without accents."""
    native = counter()
    assert native is not None
    (words, _, syllables, _, _, hard), uncounted = native.count(in_python.plain(word))
    if words == 1 and not uncounted:
        return syllables, hard > 0
    return in_python.look_up(word)  # very long, or in another script


_count_uncounted = in_python.pieces(_look_up)
