"""The tables of config/README.md and config/CWL.md, and the JSON schema, made from declarations.

`make tables` brings them up to date. A further table is a line in `TABLES` and a pair of markers in
a page. The site has some of them too (`made.py`).
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.campaign.problems import WORDS
from pipeline.campaign.schema import Rules, dotted, keys, schema
from pipeline.measures.table import measure_table, model_table
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.registry import Catalogue
from pipeline.runs.format import FORMATS
from pipeline.statistics.correlation.step import STATISTICS
from pipeline.storage.atomic import atomic
from pipeline.storage.markdown import table

PLACE = re.compile(r"<!-- ([\w-]+):begin -->\n(.*?)<!-- \1:end -->", re.DOTALL)


def key_table() -> str:
    """Every key (its part after `campaigns.<campaign>.`), its type, its default, its meaning."""
    rows = (
        (
            f"`{dotted(path).removeprefix('campaigns.<campaign>.')}`",
            _type(rules),
            _default(rules),
            str(rules["description"]),
        )
        for path, rules in keys(schema())
    )
    return table(("key", "type", "default", "meaning"), rows)


def _type(rules: Rules) -> str:
    if "enum" in rules:
        return ", ".join(f"`{choice}`" for choice in rules["enum"] if choice is not None)
    kinds = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
    return " or ".join(WORDS[kind].removeprefix("a ") for kind in kinds if kind != "null")


def _default(rules: Rules) -> str:
    default = rules.get("default")
    if default is None:
        return "none" if "default" in rules else "required"
    if isinstance(default, list):
        return f"`[{', '.join(map(str, default))}]`"
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


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
TABLES: Mapping[str, Callable[[], str]] = {
    "cwl-models": model_table,
    "indices": partial(entries, INDICES, INDEX),
    "keys": key_table,
    "measures": measure_table,
    "run-formats": partial(entries, FORMATS, {"format": "name", "what": "title"}),
    "statistics": partial(entries, STATISTICS, STATISTIC),
    "user-models": partial(entries, MODELS, MODEL),
}


def placed(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """A page with each table between its markers, `<!-- name:begin -->` and `<!-- name:end -->`.

    What stands between other markers is left as it is.
    """

    def made(place: re.Match[str]) -> str:
        name = place[1]
        content = tables[name]() if name in tables else place[2]
        return f"<!-- {name}:begin -->\n{content}<!-- {name}:end -->"

    return PLACE.sub(made, text)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        if page.suffix == ".json":
            new = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
        else:
            new = placed(page.read_text(encoding="utf-8"), TABLES)
        with atomic(page) as draft:
            draft.write_text(new, encoding="utf-8", newline="\n")
