"""What is wrong with a config, in sentences that several of its parts need."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import regex

Path = tuple[str | int, ...]  # of keys, from the top
Problems = Iterator[tuple[Path, str]]


def expression(at: Path, text: str | None, *, group: str | None = None) -> Problems:
    """A regular expression, if there is one; `group` says what its first group is for."""
    if text is None:
        return
    try:
        found = re.compile(text)
        regex.compile(text)  # which is the one that searches
    except (re.error, regex.error) as error:
        yield at, f"'{text}' is not a regular expression ({error}); correct it"
        return
    if group and not found.groups:
        yield at, f"'{text}' has no group; put {group}"


def deeper(at: Path, depth: int | None, full: Mapping[str, Any]) -> Problems:
    """A depth, if there is one, below what is kept of a run."""
    policy = full["policies"]["depth"]
    if depth is not None and depth > policy:
        yield at, f"is {depth}, deeper than policies.depth {policy}; raise that or lower this"


def nearest(word: object, known: Sequence[str], *, kind: str) -> str:
    """The nearest known word as a question, or all of them if none is near."""
    lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(word).lower(), lower, n=1)
    if close:
        return f"did you mean '{lower[close[0]]}'?"
    return f"known {kind}: {', '.join(known)}" if known else f"there are no {kind}"


def is_number(text: str) -> bool:
    """Whether a text would be a number without its quotes."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def whole(given: float | None) -> int | None:
    """A checked whole number, if there is one: 2.0 is an integer, as the schema has it."""
    return None if given is None else int(given)
