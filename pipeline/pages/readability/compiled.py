"""The compiled counter: the extension `_counting`, made from C when the package is installed.

Why our own: in Python counting costs more than parsing, and a new worker, which remembers no word
yet, pays twice that. Tests compare it with the counter in Python, which is used without it.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from pipeline.pages.readability import lists
from pipeline.storage.c_sources import refuse_stale

if TYPE_CHECKING:
    from pipeline.pages.readability._counting import Counter


@cache
def extension() -> ModuleType | None:
    """The extension module, None where it was not built; refused if built from other sources."""
    try:
        made = import_module("pipeline.pages.readability._counting")
    except ImportError:
        return None
    here = Path(__file__).parent
    refuse_stale("counter", built_from=made.SOURCES_DIGEST, folder=here, headers="native")
    return made


@cache
def counter() -> "Counter | None":
    """The counter with its lists of words; None where it was not compiled."""
    module = extension()
    if module is None:
        return None
    made: Counter = module.Counter(
        dictionary=lists.pronunciations(),
        easy="".join(f"{word}\n" for word in lists.easy_words()).encode(),
        endings=lists.ENDINGS,
        never=lists.NEVER,
        before_digit=lists.BEFORE_DIGIT,
        before_lower=lists.BEFORE_LOWER,
        most=lists.MOST,
    )
    return made
