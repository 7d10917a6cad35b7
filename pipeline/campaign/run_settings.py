"""The config's `runs.team`: checked, and as the settings its step takes."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.campaign.problems import Path, Problems, expression
from pipeline.runs.teams import Teams

_AT: Path = ("runs", "team")
_WAYS = ("name", "path", "table")
_GROUP = "the team in brackets, as '^([^_]+)_'"


def teams(given: str | Mapping[str, Any] | None) -> Teams | None:
    """How the team of a run is found; a text is an expression for its name."""
    if given is None:
        return None
    return Teams(name=given) if isinstance(given, str) else Teams(**given)


def paths(full: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The key that holds a path, with its value."""
    found = teams(full["runs"]["team"])
    if found and found.table is not None:
        yield (*_AT, "table"), found.table


def problems(full: Mapping[str, Any]) -> Problems:
    """What is wrong with it."""
    given = full["runs"]["team"]
    if given is None or isinstance(given, str):
        yield from expression(_AT, given, group=_GROUP)
        return
    ways = [way for way in _WAYS if given[way] is not None]
    if len(ways) != 1:
        said = " and ".join(ways) if ways else "none"
        yield _AT, f"gives {said} of {', '.join(_WAYS)}; give one of them"
    for way in ("name", "path"):
        yield from expression((*_AT, way), given[way], group=_GROUP)
    yield from expression((*_AT, "none"), given["none"])
    if given["table"] and set("*?") & set(given["table"]):
        yield (*_AT, "table"), f"is the glob '{given['table']}'; name one file"
