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

import re
import unicodedata
from typing import NamedTuple

import numpy as np

from pipeline.pages.readability.words import difficult, syllables

# Each expression starts with a plain set of characters, which the regex engine skips to fast.
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
# Dots and commas inside a word: 3.5, 1,500; e.g., U.S.A. up to their last dot.
_INSIDE = re.compile(r"[.,](?:(?<=\d.)(?=\d)|(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.))")
_BREAKS = r"\n\r\v\f\x85\u2028\u2029"
_END = re.compile(
    rf"""[.!?\u2026{_BREAKS}](?:(?<=[{_BREAKS}])"""
    r"""|[.!?\u2026]*["'”\u2019»)\]]*(?=\s|$)"""
    r"""|(?<=[a-z]\.)(?=[A-Z][a-z]))"""
)
_START = re.compile(r"[^\W_]")
_NEXT = re.compile(r"[^\S\n]+(\S)")


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_NEVER = _names(
    "Dr Mr Mrs Ms Prof St Jr Sr Rep Sen Gov Gen Lt Col Sgt Capt Rev Hon vs cf approx"
    " e.g E.g i.e I.e"
)
_BEFORE_DIGIT = _names("no fig figs p pp vol ch jan feb mar apr jun jul aug sep sept oct nov dec")
_BEFORE_LOWER = _names("etc al ca")
_SOME = _NEVER | _BEFORE_LOWER | {form for a in _BEFORE_DIGIT for form in (a, a.capitalize())}
_LETTERS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")  # a.m, U.S

_CACHE_LIMIT = 200_000
_LONGEST = 40  # letters of a word worth remembering
_MOST = 127  # syllables; what has more is no word


class Counts(NamedTuple):
    """What one pass over a text counts; `difficult_words` by Dale and Chall's list."""

    words: int
    sentences: int
    syllables: int
    complex_words: int
    characters: int
    difficult_words: int


class _Codes(dict[str, int]):
    """Word as written -> 2 * syllables + difficult; remembers across texts, up to a bound."""

    def __missing__(self, word: str) -> int:
        code = 2 * min(syllables(word), _MOST) + difficult(word)
        if len(word) <= _LONGEST:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[word] = code
        return code


_known = _Codes()
_SYLLABLES = np.arange(256) // 2
_DIFFICULT = np.arange(256) % 2
_COMPLEX = (_SYLLABLES > 2).astype(np.int64)


def count(text: str) -> Counts:
    """Count `text` once, by the rules above; all zero when it has no word."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    words = _WORD.findall(_INSIDE.sub("", text).replace("_", " "))
    if not words:
        return Counts(0, 0, 0, 0, 0, 0)
    # One byte a word, so that numpy sums what Python would have to loop over three times.
    codes = bytes(map(_known.__getitem__, words))
    letters = "".join(words)
    times = np.bincount(np.frombuffer(codes, np.uint8), minlength=256)
    return Counts(
        words=len(words),
        sentences=_sentences(text),
        syllables=int(times @ _SYLLABLES),
        complex_words=int(times @ _COMPLEX),
        characters=len(letters) - letters.count("'") - letters.count("\u2019"),
        difficult_words=int(times @ _DIFFICULT),
    )


def _sentences(text: str) -> int:
    found = begin = 0
    has_word = _START.search
    for match in _END.finditer(text):
        at = match.start()
        if text[at] == "." and match.end() == at + 1 and _is_abbreviation(text, at):
            continue
        if has_word(text, begin, at):
            found += 1
        begin = match.end()
    return found + bool(has_word(text, begin))


def _is_abbreviation(text: str, at: int) -> bool:
    """Whether the full stop at `at` belongs to an abbreviation that does not end the sentence."""
    before = (text[max(0, at - 7) : at].split() or [""])[-1].lstrip("([{\"'“\u2018")
    if before not in _SOME and "." not in before:  # nearly always
        return False
    follows = _NEXT.match(text, at + 1)
    if follows is None:  # the end, or a line break, which ends it anyway
        return False
    if before in _NEVER or (before == "al" and text[max(0, at - 5) : at] == "et al"):
        return True
    if before.lower() in _BEFORE_DIGIT:
        return follows[1].isdigit()
    if before in _BEFORE_LOWER or _LETTERS.fullmatch(before):
        return follows[1].islower()
    return False
