"""Counting a text once: words, sentences, syllables, and what else an index needs.

docs/counting.md has the rules, and why they are so. The counter is compiled (`_counting`), because
in Python counting costs more than parsing. Tests compare it with the counter in Python, which is
used where nothing was compiled.
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
    """What one pass over a text counts; `difficult_words` by Dale and Chall's list."""

    words: int = 0
    sentences: int = 0
    syllables: int = 0
    complex_words: int = 0
    characters: int = 0
    difficult_words: int = 0


def extension() -> ModuleType | None:
    """The compiled counter, None where it was not built."""
    return compiled("pipeline.pages.readability._counting", "counter", headers="native")


@cache
def counter() -> "Counter | None":
    """The counter with its lists of words; None where it was not compiled."""
    module = extension()
    if module is None:
        return None
    made: Counter = module.Counter(
        dictionary=in_python.pronunciations(),
        easy="".join(f"{word}\n" for word in in_python.easy_words()).encode(),
        endings=in_python.ENDINGS,
        never=in_python.NEVER,
        before_digit=in_python.BEFORE_DIGIT,
        before_lower=in_python.BEFORE_LOWER,
        most=in_python.MOST,
    )
    return made


def count(text: str) -> Counts:
    """Count `text` once; all zero when it has no word."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    made = counter()
    if made is None:
        return count_in_python(text)
    try:
        found, left = made.count(text)
    except UnicodeEncodeError:  # half of a surrogate pair
        return count_in_python(text)
    return Counts(*in_python.add_up([found, _of_left(left)]) if left else found)


def count_in_python(text: str) -> Counts:
    """The same for a text in compatible form (NFKC), without the compiled counter."""
    counts = Counts(*in_python.of_pieces(text.split()))
    return counts._replace(sentences=in_python.sentences(text)) if counts.words else counts


def _known(word: str) -> tuple[int, bool]:
    """Syllables and difficulty of a word by the compiled counter, without its accents."""
    made = counter()
    assert made is not None
    (words, _, said, _, _, hard), left = made.count(in_python.plain(word))
    if words == 1 and not left:
        return said, hard > 0
    return in_python.known(word)  # a very long one, or in another script


_of_left = in_python.pieces(_known)
