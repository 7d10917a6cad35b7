"""The parts of the docs that derive from declarations, and the JSON schema of a config.

`make tables` writes the schema to `config/schema.json`. The site asks for the other parts while it
is built (`made.py`).
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.campaign.problems import WORDS
from pipeline.campaign.schema import Rules, dotted, keys, schema
from pipeline.measures.cwl.declare import CWLModel
from pipeline.registry import Catalogue
from pipeline.storage.atomic import atomic
from pipeline.storage.markdown import table

CAMPAIGN = "campaigns.<campaign>."  # left out of the keys of a campaign
PLURALS = {
    "string": "texts", "number": "numbers", "integer": "whole numbers", "object": "maps",
    "array": "lists",
}  # fmt: skip
BOUNDS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most"}


def config_keys() -> Iterator[tuple[str, Rules]]:
    """Every key of a config, as the reference writes it, with its rules."""
    for path, rules in keys(schema()):
        yield dotted(path).removeprefix(CAMPAIGN), rules


def sections() -> list[str]:
    """The top-level keys of a campaign and of a config file."""
    return [key for key, _ in config_keys() if "." not in key]


def key_entries(section: str) -> str:
    """An entry for each key of a section: type, bounds, default, meaning, choices."""
    return "\n".join(
        _key_entry(key, rules)
        for key, rules in config_keys()
        if key == section or key.startswith(f"{section}.")
    )


def anchor(key: str) -> str:
    """The address of a key on its page."""
    return re.sub("[<>]", "", key)


def _key_entry(key: str, rules: Rules) -> str:
    choices = {"enum": [], **_items(rules), **rules}  # of the value, or of each entry of a list
    facts = filter(None, (_type(rules), _bounds(rules), _default(rules)))
    _, *below = (part for part in key.split(".") if not part.startswith("<"))
    label = ".".join(below) or key  # beside the page, where the section stands above
    heading = f"{'###' if below else '##'} `{key}` {{#{anchor(key)} data-toc-label={label!r}}}"
    lines = [heading, f"{', '.join(facts)}\n{{: .facts }}", str(rules["description"])]
    if "enumDescriptions" in choices:
        meanings = zip(choices["enum"], choices["enumDescriptions"], strict=False)
        lines.append("\n".join(f"- `{choice}`: {meaning}" for choice, meaning in meanings))
    return "\n\n".join(lines) + "\n"


def _items(rules: Rules) -> Rules:
    """The rules of the entries of a list; empty for anything else."""
    items = rules.get("items")
    return dict(items) if isinstance(items, Mapping) else {}


def _type(rules: Rules) -> str:
    if "enumDescriptions" in rules:
        return "one of the choices below"
    if "enum" in rules:
        return f"one of {', '.join(code(choice) for choice in rules['enum'] if choice)}"
    kinds = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
    return " or ".join(_kind(kind, rules) for kind in kinds if kind != "null")


def _kind(kind: str, rules: Rules) -> str:
    items = _items(rules)
    if kind != "array" or not items:
        return WORDS[kind].removeprefix("a ")
    if "enum" in items:
        return "list of " + _type(items).removeprefix("one of ")
    size = f"{rules['maxItems']} " if "maxItems" in rules else ""
    names = [items["type"]] if isinstance(items["type"], str) else items["type"]
    return f"list of {size}{' or '.join(PLURALS[name] for name in names)}"


def _bounds(rules: Rules) -> str:
    low, high = rules.get("minimum"), rules.get("maximum")
    if low is not None and high is not None:
        return f"from {low:g} to {high:g}"
    return ", ".join(f"{word} {rules[name]:g}" for name, word in BOUNDS.items() if name in rules)


def _default(rules: Rules) -> str:
    if "default" not in rules:
        return "**required**"
    default = rules["default"]
    if default is None or default in ({}, []):
        return "optional"
    if isinstance(default, list):
        return f"default `[{', '.join(map(str, default))}]`"
    return f"default `{default if isinstance(default, str) else json.dumps(default)}`"


CUTOFF = {"none": "", "optional": "`@k` may follow", "required": "`@k` needed"}
AGGREGATE = {"mean": "", "geometric": "geometric mean over topics", "sum": "sum over topics"}


def by_name(entries: Iterable[Any]) -> list[Any]:
    """Declared entries in the order of their names, whatever their case."""
    return sorted(entries, key=lambda entry: (entry.name.lower(), entry.name))


def written(model: CWLModel) -> str:
    """A C/W/L model as a measure names it, with its parameters."""
    params = f"({', '.join(model.params)})" if model.params else ""
    return model.name + params + ("@k" if model.cutoff == "required" else "")


def inputs(model: CWLModel) -> str:
    """What the continuation probability of a C/W/L model depends on, besides the rank."""
    return ", ".join(["gain"] * (model.answers != "none") + ["cost"] * model.paid)


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


def entries(
    registry: Catalogue[Any], columns: Mapping[str, str], formula: Callable[[str], str] = code
) -> str:
    """The entries of a registry; a column shows an attribute."""

    def cell(entry: Any, name: str) -> str:
        value = getattr(entry, name)
        text = value if isinstance(value, str) else ", ".join(value)
        return {"name": code, "formula": formula}.get(name, str)(text)

    rows = (tuple(cell(entry, name) for name in columns.values()) for entry in registry.values())
    return table(tuple(columns), rows)


INDEX = {
    "index": "name", "what": "title", "formula": "formula", "easy end": "easy", "source": "citation"
}  # fmt: skip
MODEL = {
    "model": "name", "what": "title", "chance to understand": "formula", "source": "citation"
}  # fmt: skip
STATISTIC = {
    "statistic": "name", "what": "title", "meaning": "meaning", "reads": "settings",
    "source": "citation",
}  # fmt: skip


if __name__ == "__main__":  # the schema: python docs/hooks/tables.py config/schema.json
    for page in map(Path, sys.argv[1:]):
        with atomic(page) as draft:
            text = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
            draft.write_text(text, encoding="utf-8", newline="\n")
