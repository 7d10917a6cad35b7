"""Entries of the config that are of one of several kinds, each named by a key of its own."""

from collections.abc import Iterable, Mapping
from typing import Any


def given_kinds(kinds: Iterable[str], one: Mapping[str, Any]) -> list[str]:
    """The kinds whose key has a value; of a good entry exactly one."""
    return [name for name in kinds if one[name] is not None]


def not_one(kinds: Iterable[str], given: list[str], *, fix: str) -> str:
    """The sentence about an entry of no kind, or of several."""
    if not given:
        *others, last = (f"'{name}'" for name in kinds)
        return f"has neither {', '.join(others)} nor {last}; give one of them"
    *others, last = (f"'{name}'" for name in given)
    both = "both " if len(given) == 2 else ""
    return f"has {both}{', '.join(others)} and {last}; {fix} one of them"
