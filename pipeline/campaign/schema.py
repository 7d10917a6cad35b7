"""The shape of a config: jsonschema finds what is wrong, we say it in one sentence with the fix."""

import copy
import math
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.campaign.choices import CHOICES, PROPERTIES, described
from pipeline.campaign.problems import Path, is_number, nearest

if TYPE_CHECKING:
    from jsonschema import ValidationError

WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
}
LABELLED = {"gains", "levels"}  # keys of maps whose own keys are labels


@cache
def schema() -> Mapping[str, Any]:
    """The schema of a config, with the lists that are made from registries."""
    import yaml

    file = pathlib.Path(__file__).with_name("schema.yaml")
    # In C where there is one, because every start of the workflow reads it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rules: Mapping[str, Any] = _chosen(yaml.load(file.read_text(encoding="utf-8"), loader))
    return rules


def _chosen(rules: Any) -> Any:
    """The rules with `x-choices` and `x-properties` spelled out as what there is."""
    if isinstance(rules, list):
        return [_chosen(rule) for rule in rules]
    if not isinstance(rules, Mapping):
        return rules
    if "x-properties" in rules:
        known = dict(rules.get("properties", {}))
        for declared in PROPERTIES[rules["x-properties"]]():
            known.update(declared)
        rules = {**{k: v for k, v in rules.items() if k != "x-properties"}, "properties": known}
    made = {key: _chosen(rule) for key, rule in rules.items() if key != "x-choices"}
    if "x-choices" in rules:
        null = [None] if rules.get("default", "") is None else []
        made["enum"] = [*CHOICES[rules["x-choices"]](), *null]
        if "{choices}" in made.get("description", ""):
            told = described(rules["x-choices"])
            made["description"] = made["description"].replace("{choices}", told)
    return made


def problems(config: Any, *, schema: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """Every structural problem as (path, sentence), in the order of the paths."""
    from jsonschema import Draft202012Validator  # a tenth of a second that jobs need not pay

    odd = dict(_odd_keys(config))
    found = [
        pair
        for error in Draft202012Validator(schema).iter_errors(plain(config))
        for pair in _sentences(error, schema=schema)
        if pair[0] not in odd
    ]
    told = {path for path, _ in found}
    found += [pair for pair in _not_finite(config) if pair[0] not in told]
    return sorted({*odd.items(), *found}, key=lambda pair: [str(part) for part in pair[0]])


def without(value: Mapping[str, Any], paths: Iterable[Path]) -> dict[str, Any]:
    """A copy of `value` without what is at some paths."""
    rest = copy.deepcopy(dict(value))
    for path in paths:
        place: Any = rest
        for part in path[:-1]:
            place = place.get(part) if isinstance(place, dict) else None
        if path and isinstance(place, dict):
            place.pop(path[-1], None)
    return rest


def filled(value: Any, *, schema: Mapping[str, Any]) -> Any:
    """A copy of a valid `value` with every default of the schema filled in."""
    if isinstance(value, Mapping):
        known = schema.get("properties", {})
        others = schema.get("additionalProperties")
        result = {
            key: filled(item, schema=known.get(key, others if isinstance(others, Mapping) else {}))
            for key, item in value.items()
        }
        missing = {
            key: filled(copy.deepcopy(sub["default"]), schema=sub)
            for key, sub in known.items()
            if key not in value and "default" in sub
        }
        return result | missing
    if isinstance(value, list | tuple):
        return [filled(item, schema=schema.get("items", {})) for item in value]
    return value


def dotted(path: Iterable[str | int]) -> str:
    """A place in the config as people write it.

    >>> dotted(["campaigns", "mine", "measures", 2])
    'campaigns.mine.measures[2]'
    >>> dotted(["campaigns", "clef.2015", "title"])
    "campaigns.'clef.2015'.title"
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:  # quoted where the dots would mislead
            shown_part = part.replace("\n", "\\n")  # a sentence is a line
            text += f".{part}" if re.fullmatch(r"[\w<>-]+", part) else f".'{shown_part}'"
    return text.removeprefix(".")


def shown(value: object) -> str:
    """A value as the sentence shows it: its kind, then itself as YAML writes it, cut if long."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text '{_cut(value)}'"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, Mapping):
        return "a map"
    if isinstance(value, list | tuple):
        return "a list"
    return f"the {type(value).__name__} {value}"


def _sentences(
    error: "ValidationError", *, schema: Mapping[str, Any]
) -> Iterator[tuple[Path, str]]:
    """One jsonschema error, said our way; an unknown key is one sentence each."""
    path: Path = tuple(error.absolute_path)
    rules: Any = error.schema
    value: Any = error.instance
    kind = str(error.validator)
    if kind == "additionalProperties":
        known = list(rules["properties"])
        for key in value:
            if key not in known:
                yield (*path, key), f"is not a known key; {_where_known(key, known, schema)}"
    elif kind == "required":
        for key in rules["required"]:
            if key not in value:
                yield (*path, key), f"is missing; add it ({_hint(rules['properties'][key])})"
    elif "propertyNames" in error.absolute_schema_path:
        yield (*path, value), f"is not a good name; it must {rules['x-must']}"
    elif kind == "type":
        yield path, _wrong_type(value, rules)
    elif kind == "enum":
        yield path, _wrong_choice(value, rules["enum"])
    elif kind == "pattern":
        yield path, f"is '{_cut(value)}'; it must {rules['x-must']}"
    else:
        yield path, _wrong_size(value, kind=kind, limit=error.validator_value)


def _wrong_type(value: object, rules: Mapping[str, Any]) -> str:
    kinds = [rules["type"]] if isinstance(rules["type"], str) else list(rules["type"])
    wanted = " or ".join(WORDS[kind] for kind in kinds if kind != "null")
    sentence = f"must be {wanted}, not {shown(value)}"
    if value is None:
        return f"{sentence}; give it a value or remove the key"
    if isinstance(value, bool):
        quote = "put text in quotes" if "string" in kinds else f"write {wanted}"
        return f"{sentence} (YAML reads a bare yes, no, on or off so); {quote}"
    if "string" in kinds and not isinstance(value, Mapping | list | tuple):
        return f"{sentence}; put it in quotes"
    if isinstance(value, str) and {"number", "integer"} & set(kinds) and is_number(value):
        return f"{sentence}; remove the quotes"
    if isinstance(value, Mapping) and kinds == ["string"] and len(value) == 1:
        return f"{sentence}; put the whole entry in quotes"
    if isinstance(value, str) and rules.get("items") == {"type": "number"}:
        return f"{sentence}; write numbers in brackets, as [0, 2]"
    if "array" in kinds and not isinstance(value, Mapping):
        item = f"'{value}'" if isinstance(value, str) else value
        return f"{sentence}; write [{item}]"
    if "object" in kinds and "properties" in rules:
        return f"{sentence}; its keys are {', '.join(rules['properties'])}"
    return f"{sentence}; write {wanted}"


def _wrong_choice(value: object, choices: Sequence[str | None]) -> str:
    names = [name for name in choices if name is not None]
    if value is None:
        return f"is empty; give one of {', '.join(names)} or remove the key"
    if isinstance(value, bool):
        told = shown(value)
        return (
            f"is {told} (YAML reads a bare yes, no, on or off so); give one of {', '.join(names)}"
        )
    text = f"'{_cut(value)}'" if isinstance(value, str) else shown(value)
    return f"is {text}, which is not a choice; {nearest(value, names, kind='choices')}"


def _wrong_size(value: Any, *, kind: str, limit: Any) -> str:
    if kind == "minLength":
        return "is empty text; give it a value or remove the key"
    if kind in {"minItems", "minProperties"} and not value:
        return "is empty; give it at least one entry"
    if kind in {"minItems", "maxItems"}:
        return f"has {len(value)} {'entry' if len(value) == 1 else 'entries'}; it must have {limit}"
    if kind == "uniqueItems":
        twice = next(item for i, item in enumerate(value) if item in value[:i])
        return f"holds {twice} twice; remove one"
    bound = {"minimum": "at least", "maximum": "at most"}
    return f"is {value}; it must be {bound[kind]} {limit}"


def _where_known(key: object, known: Sequence[str], schema: Mapping[str, Any]) -> str:
    """The nearest key here, or the place where a key of exactly this name belongs."""
    places = [dotted(path[:-1]) for path, _ in keys(schema) if path[-1] == key]
    if places:
        return f"it belongs in {' or '.join(places)}"
    return nearest(key, known, kind="keys")


def keys(
    schema: Mapping[str, Any], *, above: Path = ()
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every key of the schema with its path, top down; a name the user chooses is `<name>`."""
    for key, sub in schema.get("properties", {}).items():
        path = (*above, key)
        yield path, sub
        yield from keys(sub, above=path)
        others = sub.get("additionalProperties")
        while isinstance(others, Mapping) and "x-name" in sub:  # names within names
            path = (*path, f"<{sub['x-name']}>")
            yield from keys(others, above=path)
            sub, others = others, others.get("additionalProperties")


def _hint(rules: Mapping[str, Any]) -> str:
    """What belongs there: the description up to its first stop."""
    text = re.split(r"[;:.] |\.$", str(rules.get("description", "see config/README.md")))[0]
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def plain(value: Any) -> Any:
    """Keys as text, since JSON Schema knows no other; what YAML misread is told by `_odd_keys`."""
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _odd_keys(value: Any, *, above: Path = ()) -> Iterator[tuple[Path, str]]:
    """Keys YAML did not read as text; labels are numbers and welcome."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            path = (*above, _key(key))
            if not isinstance(key, str) and not LABELLED & set(above[-2:]):
                bare = " (as it does yes, no, on and off)" if isinstance(key, bool) else ""
                yield path, f"is a key that YAML reads as {shown(key)}{bare}; put it in quotes"
            yield from _odd_keys(item, above=path)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _odd_keys(item, above=(*above, place))


def _not_finite(value: Any, *, above: Path = ()) -> Iterator[tuple[Path, str]]:
    """Numbers that are none: no bound of the schema refuses NaN. Dimensions check their own."""
    if isinstance(value, float) and not math.isfinite(value):
        yield above, f"is {value}, which is no number to work with; write one"
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key != "dimensions":
                yield from _not_finite(item, above=(*above, _key(key)))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _not_finite(item, above=(*above, place))


def _key(key: object) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def _cut(text: str, *, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}..."
