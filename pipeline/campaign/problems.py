"""What is wrong with a config, as problems: where, what, and how to fix it."""

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from pipeline.campaign.schema import Rules, dotted, keys, rules_at, schema
from pipeline.config.base import BOUNDS, MISTAKE, Path
from pipeline.errors import InputError, Problem
from pipeline.storage.text import number

Lines = Mapping[Path, int]  # of the keys of a file
WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
}
UNKNOWN = "is not a known key"
BARE = "(YAML reads a bare yes, no, on or off so)"


class Mistake(NamedTuple):
    """One mistake in a config: the keys that lead to it, what it is, how to fix it."""

    path: Path
    what: str
    fix: str

    def problem(self, lines: Lines | None = None) -> Problem:
        """As a problem, with its line, or that of the map which lacks the key."""
        line = None
        for end in range(len(self.path), 0, -1):
            line = line or (lines or {}).get(self.path[:end])
        return Problem(dotted(self.path) or "config", self.what, self.fix, line=line)


def mistakes(error: ValidationError, given: Any, *, above: Path = ()) -> list[Mistake]:
    """All that a validation of `given` found, in the order of the keys; one for each place."""
    found: dict[Path, Mistake] = {}
    for one in error.errors(include_url=False):
        is_key = one["loc"][-1:] == ("[key]",)
        path, value = _place(one["loc"], given)
        if one["type"] == "too_short" and len(value) >= one["ctx"]["min_length"]:
            continue  # of those entries some are wrong, which is said of them
        at = (*above, *path)
        what, fix = _said(one, at, value, is_key=is_key)
        found.setdefault(at, Mistake(at, what, fix))
    return sorted(found.values(), key=lambda one: [str(part) for part in one.path])


def reasons(error: InputError) -> Iterator[tuple[str, str]]:
    """What and fix of each problem that a reader raised about a value."""
    for problem in error.problems:
        yield str(replace(problem, fix="")), problem.fix


def nearest(word: object, known: Sequence[str], *, kind: str) -> str:
    """The nearest known word as a question, or all of them if none is near."""
    lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(word).lower(), lower, n=1)
    if close:
        return f"did you mean '{lower[close[0]]}'?"
    return f"known {kind}: {', '.join(known)}" if known else f"there are no {kind}"


def key_name(key: object) -> str:
    """A key as YAML writes it."""
    return str(key).lower() if isinstance(key, bool) else str(key)


def _place(loc: Sequence[str | int], given: Any) -> tuple[Path, Any]:
    """The path in the config, without what only the models know, and the value there."""
    path: list[str | int] = []
    for part in loc:
        if part == "[key]" or (isinstance(part, str) and part.startswith("<")):
            continue
        if isinstance(given, Mapping):
            key = next((one for one in given if one == part), part)
            path.append(key_name(key))
            given = given.get(key)
        elif isinstance(given, list | tuple) and isinstance(part, int) and part < len(given):
            path.append(part)
            given = given[part]
        else:
            break
    return tuple(path), given


def _said(error: Any, path: Path, value: Any, *, is_key: bool) -> tuple[str, str]:
    """One error of pydantic in our words."""
    kind, rules, facts = error["type"], rules_at(path), error.get("ctx", {})
    if kind == MISTAKE:
        return facts["what"], facts["fix"]
    if kind == "invalid_key" or (is_key and kind == "string_type"):
        key = error["input"]
        bare = " (as it does yes, no, on and off)" if isinstance(key, bool) else ""
        return f"is a key that YAML reads as {shown(key)}{bare}", "put it in quotes"
    if is_key:
        return "is not a label", "labels are numbers"
    if kind == "extra_forbidden":
        return UNKNOWN, _where_known(path)
    if kind == "missing":
        hint = re.split(r"[;:.] |\.$", str(rules.get("description", "")))[0]
        return "is missing", f"add it ({hint[:1].lower() + hint[1:]})" if hint else "add it"
    if kind == "literal_error":
        return _wrong_choice(value, rules.get("enum", [rules.get("pattern", "").strip("^$")]))
    if kind in BOUNDS:
        return f"is {value}", f"it must be {BOUNDS[kind].format(**facts)}"
    if kind == "finite_number":
        return f"is {value}, which is not a finite number", "write one"
    if kind == "string_too_short":
        return "is empty text", "give it a value or remove the key"
    if kind in ("too_short", "too_long"):
        return _wrong_size(value, facts)
    return _wrong_type(value, rules)


def shown(value: object) -> str:
    """A value as a message shows it: its kind, then itself as YAML writes it, cut if long."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text '{value[:60]}{'...' * (len(value) > 60)}'"
    if isinstance(value, int | float):
        return f"the number {value}"[:60]
    if isinstance(value, Mapping):
        return "a map"
    return "a list" if isinstance(value, list | tuple) else f"the {type(value).__name__} {value}"


def _wrong_type(value: Any, rules: Rules) -> tuple[str, str]:
    given = rules.get("type", "object")
    kinds = [given] if isinstance(given, str) else list(given)
    wanted = " or ".join(WORDS[kind] for kind in kinds if kind != "null")
    what = f"must be {wanted}, not {shown(value)}"
    if value is None:
        return what, "give it a value or remove the key"
    if isinstance(value, bool):
        return f"{what} {BARE}", "put text in quotes" if "string" in kinds else f"write {wanted}"
    if "string" in kinds and not isinstance(value, Mapping | list | tuple):
        return what, "put it in quotes"
    if (
        isinstance(value, str)
        and {"number", "integer"} & set(kinds)
        and not math.isnan(number(value))
    ):
        return what, "remove the quotes"
    if isinstance(value, Mapping) and kinds == ["string"] and len(value) == 1:
        return what, "put the whole entry in quotes"
    if isinstance(value, str) and rules.get("items") == {"type": "number"}:
        return what, "write numbers in brackets, for example [0, 2]"
    if "array" in kinds and not isinstance(value, Mapping):
        return what, f"write [{value!r}]"
    if "object" in kinds and "properties" in rules:
        return what, f"its keys are {', '.join(rules['properties'])}"
    return what, f"write {wanted}"


def _wrong_choice(value: Any, choices: Sequence[str | None]) -> tuple[str, str]:
    names = [name for name in choices if name is not None]
    if value is None:
        return "is empty", f"give one of {', '.join(names)} or remove the key"
    if isinstance(value, bool):
        return f"is {shown(value)} {BARE}", f"give one of {', '.join(names)}"
    return f"is {shown(value)}, which is not a choice", nearest(value, names, kind="choices")


def _wrong_size(value: Any, facts: Mapping[str, Any]) -> tuple[str, str]:
    if not value:
        return "is empty", "give it at least one entry"
    many = f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return f"has {many}", f"it must have {facts.get('max_length') or facts.get('min_length')}"


def _where_known(path: Path) -> str:
    """The nearest key here, or the place where a key of exactly this name belongs."""
    places = [dotted(at[:-1]) for at, _ in keys(schema()) if at[-1] == path[-1]]
    if places:
        return f"it belongs in {' or '.join(places)}"
    return nearest(path[-1], list(rules_at(path[:-1]).get("properties", ())), kind="keys")
