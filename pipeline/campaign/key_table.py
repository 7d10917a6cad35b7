"""The table of every config key, made from the schema so that the two cannot part."""

import json
from collections.abc import Mapping
from typing import Any

from pipeline.campaign.schema import dotted, keys

TYPES = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "array": "list",
    "object": "map",
}


def key_table(schema: Mapping[str, Any]) -> str:
    """A Markdown table: key (the part after `campaigns.<campaign>.`), type, default, meaning."""
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for path, rules in keys(schema):
        name = dotted(path).removeprefix("campaigns.<campaign>.")
        meaning = str(rules["description"]).removesuffix(" Required.")
        cells = [f"`{name}`", _type(rules), _default(rules), meaning]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _type(rules: Mapping[str, Any]) -> str:
    if "enum" in rules:
        return ", ".join(f"`{choice}`" for choice in rules["enum"] if choice is not None)
    kinds = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
    return " or ".join(TYPES[kind] for kind in kinds if kind != "null")


def _default(rules: Mapping[str, Any]) -> str:
    if "default" not in rules:
        return "required"
    default = rules["default"]
    if default is None:
        return "none"
    if isinstance(default, list):
        return f"`[{', '.join(map(str, default))}]`"
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"
