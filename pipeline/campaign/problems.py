"""Mistakes in a config as problems: where, what, and how to fix them."""

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

Lines = Mapping[Path, int]  # line numbers by key
WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
}
UNKNOWN = "is not a known key"
BARE = "(so YAML reads unquoted yes, no, on or off)"


class Mistake(NamedTuple):
    """A mistake in a config: its path, what is the matter, and how to fix it."""

    path: Path
    what: str
    fix: str

    def problem(self, lines: Lines | None = None) -> Problem:
        """Convert to a problem with its line; for a missing key, that of its parent."""
        parents = (self.path[:end] for end in range(len(self.path), 0, -1))
        line = next((lines[path] for path in parents if path in lines), None) if lines else None
        return Problem(dotted(self.path) or "config", self.what, self.fix, line=line)


def mistakes(error: ValidationError, config: Any, *, above: Path = ()) -> list[Mistake]:
    """Convert a validation error to mistakes, one per path, sorted by path."""
    by_path: dict[Path, Mistake] = {}
    for detail in error.errors(include_url=False):
        is_key = detail["loc"][-1:] == ("[key]",)
        path, value = _place(detail["loc"], config)
        if detail["type"] == "too_short" and len(value) >= detail["ctx"]["min_length"]:
            continue  # some entries are invalid and have mistakes of their own
        at = (*above, *path)
        what, fix = _describe(detail, at, value, is_key=is_key)
        by_path.setdefault(at, Mistake(at, what, fix))
    return sorted(by_path.values(), key=lambda detail: [str(part) for part in detail.path])


def reasons(error: InputError) -> Iterator[tuple[str, str]]:
    """Yield what and fix of each problem that a parser raised for a value."""
    for problem in error.problems:
        yield str(replace(problem, fix="")), problem.fix


def nearest(word: object, names: Sequence[str], *, kind: str) -> str:
    """Suggest the nearest name, or list all names if none is similar."""
    lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(str(word).lower(), lower, n=1)
    if close:
        return f"did you mean '{lower[close[0]]}'?"
    return f"known {kind}: {', '.join(names)}" if names else f"there are no {kind}"


def key_name(key: object) -> str:
    """A key as YAML writes it."""
    return str(key).lower() if isinstance(key, bool) else str(key)


def _place(loc: Sequence[str | int], value: Any) -> tuple[Path, Any]:
    """The path in the config, without internal parts of the models, and the value there."""
    path: list[str | int] = []
    for part in loc:
        if part == "[key]" or (isinstance(part, str) and part.startswith("<")):
            continue
        if isinstance(value, Mapping):
            key = next((name for name in value if name == part), part)
            path.append(key_name(key))
            value = value.get(key)
        elif isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
            path.append(part)
            value = value[part]
        else:
            break
    return tuple(path), value


def _describe(error: Any, path: Path, value: Any, *, is_key: bool) -> tuple[str, str]:
    kind, rules, facts = error["type"], rules_at(path), error.get("ctx", {})
    if kind == MISTAKE:
        return facts["what"], facts["fix"]
    if kind == "invalid_key" or (is_key and kind == "string_type"):
        key = error["input"]
        bare = f" {BARE}" if isinstance(key, bool) else ""
        return f"is a key that YAML reads as {value_text(key)}{bare}", "put it in quotes"
    if is_key:
        return "is not a label", "write a number"
    if kind == "extra_forbidden":
        return UNKNOWN, _suggest(path)
    if kind == "missing":
        hint = re.split(r"[;:.] |\.$", str(rules.get("description", "")))[0]
        return "is missing", f"add it ({hint[:1].lower() + hint[1:]})" if hint else "add it"
    if kind == "literal_error":
        return _wrong_choice(value, rules.get("enum", [rules.get("pattern", "").strip("^$")]))
    if kind in BOUNDS:
        return f"is {value}", f"it must be {BOUNDS[kind].format(**facts)}"
    if kind == "finite_number":
        return f"is {value}, which is not a finite number", "write a finite number"
    if kind == "string_too_short":
        return "is empty text", "set a value or remove the key"
    if kind in ("too_short", "too_long"):
        size = f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
        fix = f"it must have {facts.get('max_length') or facts.get('min_length')}"
        return (f"has {size}", fix) if value else ("is empty", "add at least one entry")
    return _wrong_type(value, rules)


def value_text(value: object) -> str:
    """Describe a value for a message: its type and its YAML text, truncated."""
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
    types = rules.get("type", "object")
    kinds = [types] if isinstance(types, str) else list(types)
    expected = " or ".join(WORDS[kind] for kind in kinds if kind != "null")
    what = f"must be {expected}, not {value_text(value)}"
    if value is None:
        return what, "set a value or remove the key"
    if isinstance(value, bool):
        return f"{what} {BARE}", "put text in quotes" if "string" in kinds else f"write {expected}"
    if "string" in kinds and not isinstance(value, Mapping | list | tuple):
        return what, "put it in quotes"
    is_number = isinstance(value, str) and not math.isnan(number(value))
    if is_number and {"number", "integer"} & set(kinds):
        return what, "remove the quotes"
    if isinstance(value, Mapping) and kinds == ["string"] and len(value) == 1:
        return what, "put the whole entry in quotes"
    if isinstance(value, str) and rules.get("items") == {"type": "number"}:
        return what, "write numbers in brackets, for example [0, 2]"
    if "array" in kinds and not isinstance(value, Mapping):
        return what, f"write [{value!r}]"
    if "object" in kinds and "properties" in rules:
        return what, f"use the keys {', '.join(rules['properties'])}"
    return what, f"write {expected}"


def _wrong_choice(value: Any, choices: Sequence[str | None]) -> tuple[str, str]:
    names = [name for name in choices if name is not None]
    if value is None:
        return "is empty", f"set one of {', '.join(names)} or remove the key"
    if isinstance(value, bool):
        return f"is {value_text(value)} {BARE}", f"set one of {', '.join(names)}"
    return f"is {value_text(value)}, which is not a choice", nearest(value, names, kind="choices")


def _suggest(path: Path) -> str:
    """Suggest where a key of this name belongs, or the nearest key at this path."""
    places = [dotted(at[:-1]) for at, _ in keys(schema()) if at[-1] == path[-1]]
    if places:
        return f"it belongs in {' or '.join(places)}"
    return nearest(path[-1], list(rules_at(path[:-1]).get("properties", ())), kind="keys")
