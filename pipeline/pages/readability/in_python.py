"""Counting in Python: the reference, and what counts where nothing was compiled.

Tests hold it and the compiled counter equal.
"""

import re

from pipeline.pages.readability.lists import BEFORE_DIGIT, BEFORE_LOWER, MOST, NEVER
from pipeline.pages.readability.pieces import Pieces
from pipeline.pages.readability.words import difficult, syllables

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


pieces = Pieces(known)


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
