"""Counting in Python: words, their syllables, Dale and Chall's easy words, and sentences.

It is the reference, and counts where nothing was compiled; tests hold it and the compiled counter
equal. That counter hands back pieces with letters beyond ASCII, which are counted here, too, with
what it knows of their words.

Of syllables CMUdict decides first, then vowel rules what it lacks, medical terms above all. CMUdict
and Dale and Chall's list are read as data files from packages that are installed anyway: CMUdict's
data is BSD-licensed (the `cmudict` package's code is GPL, so none of it is imported), textstat and
its copy of the list are MIT.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from pipeline.errors import InputError, Problem

MOST = 127  # syllables of a word; what has more is no word
# Regular forms of easy words are easy: an ending, and what stands instead of it in the list.
ENDINGS = (
    *(("'s", ""), ("s'", "s"), ("ies", "y"), ("es", ""), ("es", "e"), ("s", "")),
    *(("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    *(("ier", "y"), ("er", ""), ("er", "e"), ("iest", "y"), ("est", ""), ("est", "e")),
    *(("n", ""), ("ily", "y"), ("ly", "")),
)


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Abbreviations whose full stop ends no sentence: ever, before a digit, before a small letter.
NEVER = _names(
    "Dr Mr Mrs Ms Prof St Jr Sr Rep Sen Gov Gen Lt Col Sgt Capt Rev Hon vs cf approx"
    " e.g E.g i.e I.e"
)
BEFORE_DIGIT = _names(
    "no fig figs p pp vol ch jan feb mar apr jun jul aug sep sept oct nov dec"
    " No Fig Figs P Pp Vol Ch Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
BEFORE_LOWER = _names("etc al ca")


def pronunciations() -> bytes:
    """CMUdict, one line per pronunciation ("asthma AE1 Z M AH0")."""
    return _data("cmudict", "data/cmudict.dict")


@cache
def easy_words() -> frozenset[str]:
    """The words of Dale and Chall's list (2,940 of them), in lower case."""
    listed = _data("textstat", "resources/en/easy_words.txt").decode("utf-8")
    return frozenset(word.strip().lower() for word in listed.splitlines())


def _data(package: str, file: str) -> bytes:
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise InputError(Problem(package, "the package is not installed", f"pip install {package}"))
    return Path(found.submodule_search_locations[0], file).read_bytes()


def plain(word: str) -> str:
    """A word as dictionaries write it: lower case, straight apostrophes, no accents, no dots."""
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

    Every vowel carries a stress digit, so counting digits is enough. A further pronunciation,
    "word(2)", is under a name that no word has.
    """
    lines = pronunciations().decode("utf-8").splitlines()
    spoken = (line.partition("#")[0].partition(" ") for line in lines)  # "# place, danish"
    return {word: sum(map(sounds.count, "012")) for word, _, sounds in spoken}


def pronounced(word: str) -> int | None:
    """Syllables of a plain word in CMUdict, if it has the word."""
    return _pronunciations().get(word) if word.isascii() else None


def syllables(word: str) -> int:
    """Syllables of one word: 1 if it has a digit, else CMUdict's, else those `by_rule`."""
    bare = plain(word)
    if _has_digit(bare):
        return 1
    found = pronounced(bare)
    if found is None and bare.endswith("'s"):
        bare = bare[:-2]
        found = pronounced(bare)
    return found or by_rule(bare)


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(letter.isdigit() for letter in word)


# For words CMUdict lacks. On the dictionary's own words of six letters and more, on which they were
# tuned, these rules find 91% of the counts, on its medical ones (-itis, -osis, cardi-, ...) 97%.
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
    """Syllables by spelling: vowel groups, less silent e, plus vowels that are said apart."""
    bare = word.lower().replace("'", "")
    groups = len(_VOWELS.findall(bare)) + len(_APART.findall(bare))
    if not _SOUNDED.search(bare):
        groups -= len(_SILENT.findall(bare))
    return max(1, groups)


def difficult(word: str) -> bool:
    """Whether Dale-Chall counts the word as hard: not on its list, nor a regular form of one there.

    Regular forms are those Dale and Chall (1948) name: plural and possessive, -d, -ed, -ing, -er,
    -est, -n, -ly. A number is never hard; nor is a single letter.
    """
    known = easy_words()
    bare = plain(word)
    if len(bare) < 2 or bare in known or _has_digit(bare):
        return False
    for ending, instead in ENDINGS:
        stem = bare.removesuffix(ending)
        if 1 < len(stem) < len(bare):
            if stem + instead in known:
                return False
            # stopped, running, bigger: a doubled consonant before the ending
            if not instead and ending[0] in "ei" and stem[-1] == stem[-2] and stem[:-1] in known:
                return False
    return True


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
