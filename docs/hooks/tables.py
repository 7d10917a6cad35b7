"""The tables of config/README.md and config/CWL.md, and the JSON schema, made from declarations.

`make tables` brings them up to date. A further table is a line in `TABLES` and a pair of markers in
a page. The site has some of them too (`made.py`).
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.campaign.problems import WORDS
from pipeline.campaign.schema import Rules, dotted, keys, schema
from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.measures.cwl.declare import MODELS as USERS
from pipeline.measures.cwl.declare import CWLModel
from pipeline.measures.declaration import READINGS
from pipeline.measures.subtopics import OVER_SUBTOPICS
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


CUTOFF = {"none": "", "optional": "`@k` may follow", "required": "`@k` needed"}
AGGREGATE = {"mean": "", "geometric": "geometric mean over topics", "sum": "sum over topics"}


def by_name(things: Iterable[Any]) -> list[Any]:
    """Declared things in the order of their names, whatever their case."""
    return sorted(things, key=lambda one: (one.name.lower(), one.name))


def measure_table() -> str:
    """Two Markdown tables: the measures, then the combinations of dimensions."""
    measures = [
        (
            f"`{one.name}`",
            "; ".join(filter(None, [one.title, AGGREGATE[one.aggregate]])),
            f"`{one.formula}`",
            READINGS[one.gain],
            "; ".join(param.explained(key) for key, param in one.params.items()) or "none",
            CUTOFF[one.cutoff],
            one.citation,
        )
        for one in by_name(REGISTRY.values())
    ]
    combinations = [
        (f"`{one.name}`", one.title, f"`{one.formula}`", one.of, one.citation)
        for one in [*by_name(COMBINATIONS.values()), *OVER_SUBTOPICS.values()]
    ]
    return (
        table(("measure", "what", "formula", "labels", "parameters", "cutoff", "source"), measures)
        + "\n"
        + table(("combination", "what", "formula", "combines", "source"), combinations)
    )


def model_table() -> str:
    """How a C/W/L model is written, who it is, its C(i), and what that reads."""
    rows = (
        (f"`{_written(one)}`", one.title, f"`{one.formula}`", _reads(one))
        for one in by_name(USERS.values())
    )
    return table(("model", "what", "C(i)", "reads"), rows)


def _written(model: CWLModel) -> str:
    params = f"({', '.join(model.params)})" if model.params else ""
    return model.name + params + ("@k" if model.cutoff == "required" else "")


def _reads(model: CWLModel) -> str:
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
