"""Regular expressions from a config, with a time limit.

Some expressions, for example `(a+)+$`, backtrack for years on a name of 40 letters, and Python's
`re` has no timeout. The `regex` module accepts the same expressions and has one.
"""

from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    import regex

SECONDS = 2.0  # a usual expression takes microseconds on a name


def search(expression: str, text: str, *, key: str) -> "regex.Match[str] | None":
    """The first match of an expression in a text; `key` is the config key it comes from."""
    match: regex.Match[str] | None = _bounded("search", expression, text, key=key)
    return match


def substitute(expression: str, replacement: str, text: str, *, key: str) -> str:
    """The text with all matches of an expression replaced, as `re.sub` does."""
    return str(_bounded("sub", expression, replacement, text, key=key))


def _bounded(function: str, expression: str, *texts: str, key: str) -> Any:
    import regex  # late: most processes need none

    try:
        return getattr(regex, function)(expression, *texts, timeout=SECONDS)
    except TimeoutError:
        what = f"matching '{expression}' against '{texts[-1]}' takes more than {SECONDS:g} seconds"
        fix = "avoid nested repeats; for example, write ([^_]+)_ instead of (a+)+"
        raise InputError(Problem(key, what, fix)) from None
