"""Counting in Python: the reference, and what counts where nothing was compiled.

Tests hold it and the compiled counter equal. The compiled counter hands back pieces with letters
beyond ASCII, which are counted here, too, with what that counter knows of their words.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from pipeline.pages.readability.lists import BEFORE_DIGIT, BEFORE_LOWER, MOST, NEVER
from pipeline.pages.readability.words import difficult, syllables

Known = Callable[[str], tuple[int, bool]]  # syllables of a word, and whether it is difficult

# Each expression starts with a plain set of characters, which the regex engine skips to fast.
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
# Dots and commas inside a word: 3.5, 1,500; e.g., U.S.A. up to their last dot.
_INSIDE = re.compile(r"[.,](?:(?<=\d.)(?=\d)|(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.))")
REMEMBERED = 200_000
LONGEST = 40  # letters of a piece that is worth remembering

_BREAKS = r"\n\r\v\f\x85\u2028\u2029"
_END = re.compile(
    rf"""[.!?\u2026{_BREAKS}](?:(?<=[{_BREAKS}])"""
    r"""|[.!?\u2026]*["'”\u2019»)\]]*(?=\s|$)"""
    r"""|(?<=[a-z]\.)(?=[A-Z][a-z]))"""
)
_START = re.compile(r"[^\W_]")
_NEXT = re.compile(r"[^\S\n]+(\S)")
_SOME = NEVER | BEFORE_LOWER | BEFORE_DIGIT
_LETTERS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")  # a.m, U.S


def known(word: str) -> tuple[int, bool]:
    """Syllables of a word, and whether it is difficult."""
    return min(syllables(word), MOST), difficult(word)


def add_up(counts: Iterable[Sequence[int]]) -> list[int]:
    """The sums of counts in the order of `Counts`."""
    return [sum(column) for column in zip((0,) * 6, *counts, strict=True)]


def pieces(known: Known) -> Callable[[Iterable[str]], list[int]]:
    """What counts pieces between two spaces, which no word crosses; mostly from memory."""

    def count(piece: str) -> Sequence[int]:
        counts = []
        for word in words_of(piece):
            said, hard = known(word)
            letters = len(word) - word.count("'") - word.count("\u2019")
            counts.append((1, 0, said, said > 2, letters, hard))
        return counts[0] if len(counts) == 1 else add_up(counts)

    remembered = lru_cache(REMEMBERED)(count)
    return lambda every: add_up(
        [remembered(piece) if len(piece) <= LONGEST else count(piece) for piece in every]
    )


of_pieces = pieces(known)


def words_of(text: str) -> list[str]:
    """The words of a text."""
    found: list[str] = _WORD.findall(_INSIDE.sub("", text).replace("_", " "))
    return found


def sentences(text: str) -> int:
    """Stretches with a word between ends of sentences."""
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
    if before in NEVER or (before == "al" and text[max(0, at - 5) : at] == "et al"):
        return True
    if before in BEFORE_DIGIT:
        return follows[1].isdigit()
    if before in BEFORE_LOWER or _LETTERS.fullmatch(before):
        return follows[1].islower()
    return False
