"""Regular expressions from a config, bounded in time.

Some expressions, as `(a+)+$`, try for years on a name of 40 letters, and Python's `re` cannot be
stopped. The `regex` module reads the same expressions and takes a limit.
"""

from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    import regex

SECONDS = 2.0  # a good expression takes microseconds on a name


def search(expression: str, text: str, *, key: str) -> "regex.Match[str] | None":
    """What the expression of a key of the config finds in a text."""
    found: regex.Match[str] | None = _bounded("search", expression, text, key=key)
    return found


def substitute(expression: str, replacement: str, text: str, *, key: str) -> str:
    """The text with what the expression of a key finds replaced, as `re.sub` does."""
    return str(_bounded("sub", expression, replacement, text, key=key))


def _bounded(function: str, expression: str, *texts: str, key: str) -> Any:
    import regex  # where nothing is searched, nobody waits for it

    try:
        return getattr(regex, function)(expression, *texts, timeout=SECONDS)
    except TimeoutError:
        what = f"'{expression}' tries for more than {SECONDS:g} seconds on '{texts[-1]}'"
        fix = "write it without repeats inside repeats, as ([^_]+)_ instead of (a+)+"
        raise InputError(Problem(key, what, fix)) from None
