"""What is wrong with a config, in sentences that several of its parts need."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.campaign.schema import Path

Problems = Iterator[tuple[Path, str]]


def expression(at: Path, text: str | None, *, group: str | None = None) -> Problems:
    """A regular expression, if there is one; `group` says what its first group is for."""
    if text is None:
        return
    try:
        found = re.compile(text)
    except re.error as error:
        yield at, f"'{text}' is not a regular expression ({error}); correct it"
        return
    if group and not found.groups:
        yield at, f"'{text}' has no group; put {group}"


def deeper(at: Path, depth: int | None, full: Mapping[str, Any]) -> Problems:
    """A depth, if there is one, below what is kept of a run."""
    policy = full["policies"]["depth"]
    if depth is not None and depth > policy:
        yield at, f"is {depth}, deeper than policies.depth {policy}; raise that or lower this"
