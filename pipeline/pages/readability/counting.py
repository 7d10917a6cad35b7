"""Counting a text once: words, sentences, syllables, and what else an index needs.

What counts, so that two people count alike (docs/counting.md says why, and what others count):

- *Words* are runs of letters and digits. Hyphens, dashes and slashes separate words ("well-known"
  is two), so a compound of short words is never complex. An apostrophe between letters does not:
  "don't" and "patient's" are one word each.
- *Numbers* are one word of one syllable, with their decimals and thousands: "3.5", "1,500", "12".
  So is anything with a digit in it ("B12", "10mg"): readers take it in at a glance.
- *Abbreviations* written with dots ("e.g.", "U.S.A.") are one word, looked up without the dots.
- *Sentences* end at . ! ? … (with closing quotes or brackets) before white space or the end, and at
  every line break, since cleansing puts one where a block ends: so each item of a list is a
  sentence. Only stretches with a word count.
- A full stop does not end a sentence inside a number or an address ("3.5", "nhs.uk"), after a title
  or a common abbreviation ("Dr. Who", "e.g. this"), after "No.", "Fig." or a month before a digit,
  or after "etc.", "a.m." and the like before a lower-case letter. A single capital letter does end
  one: in health pages "vitamin C." and "hepatitis B." are commoner than initials.
- A full stop stuck between a word and a capitalised one ("Wednesday.The") ends a sentence: pages
  often lose the space.
- *Syllables* come from CMUdict (its first pronunciation), else from vowel groups (`words.by_rule`).
- *Characters* are the letters and digits of the words.
- *Unicode*: compatibility forms are made plain first (ligatures, "…"), soft hyphens are dropped,
  and words are looked up without their accents. A script without spaces is one long word: the
  indices are for English.
"""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pipeline.pages.readability.compiled import counter

if TYPE_CHECKING:
    from pipeline.pages.readability.pieces import Pieces


class Counts(NamedTuple):
    """What one pass over a text counts; `difficult_words` by Dale and Chall's list."""

    words: int
    sentences: int
    syllables: int
    complex_words: int
    characters: int
    difficult_words: int


def count(text: str) -> Counts:
    """Count `text` once, by the rules above; all zero when it has no word."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    made = counter()
    if made is None:
        return count_in_python(text)
    try:
        found, left = made.count(text)
    except UnicodeEncodeError:  # half of a surrogate pair
        return count_in_python(text)
    if not left:
        return Counts(*found)
    words, said, complex_words, letters, hard = _left_over().add_up(left)
    return Counts(
        words=found[0] + words,
        sentences=found[1],
        syllables=found[2] + said,
        complex_words=found[3] + complex_words,
        characters=found[4] + letters,
        difficult_words=found[5] + hard,
    )


def count_in_python(text: str) -> Counts:
    """The same for a text in compatible form (NFKC), without the compiled counter."""
    from pipeline.pages.readability.in_python import pieces, sentences

    words, said, complex_words, letters, hard = pieces.add_up(text.split())
    return Counts(words, sentences(text) if words else 0, said, complex_words, letters, hard)


@cache
def _left_over() -> "Pieces":
    """Counts what the compiled counter hands back, and asks it for each word without accents."""
    from pipeline.pages.readability.pieces import Pieces

    return Pieces(_known)


def _known(word: str) -> tuple[int, bool]:
    from pipeline.pages.readability.plain import plain

    made = counter()
    assert made is not None
    (words, _, said, _, _, hard), left = made.count(plain(word))
    if words == 1 and not left:
        return said, hard > 0
    from pipeline.pages.readability.in_python import known  # a very long one, or in another script

    return known(word)
