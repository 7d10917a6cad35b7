"""Regular expressions from a config, bounded in time.

Some expressions, as `(a+)+$`, try for years on a name of 40 letters, and Python's `re` cannot be
stopped. The `regex` module reads the same expressions and takes a limit.
"""

from typing import TYPE_CHECKING

from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    import regex

SECONDS = 2.0  # a good expression takes microseconds on a name


def search(expression: str, text: str, *, key: str) -> "regex.Match[str] | None":
    """What the expression of a key of the config finds in a text."""
    import regex  # where nothing is searched, nobody waits for it

    try:
        return regex.search(expression, text, timeout=SECONDS)
    except TimeoutError:
        raise _endless(expression, text, key) from None


def substitute(expression: str, replacement: str, text: str, *, key: str) -> str:
    """The text with what the expression of a key finds replaced, as `re.sub` does."""
    import regex

    try:
        return str(regex.sub(expression, replacement, text, timeout=SECONDS))
    except TimeoutError:
        raise _endless(expression, text, key) from None


def _endless(expression: str, text: str, key: str) -> InputError:
    what = f"'{expression}' tries for more than {SECONDS:g} seconds on '{text}'"
    fix = "write it without repeats inside repeats, as ([^_]+)_ instead of (a+)+"
    return InputError(Problem(key, what, fix))
