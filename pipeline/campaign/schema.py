"""The JSON schema of a config, from the models and the registries.

It is published as `config/schema.json` for editors, and the tables of the reference derive from it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pipeline.audit.policies import SETS
from pipeline.campaign.dimension_kind import KINDS as DIMENSIONS
from pipeline.config.base import Path, Section
from pipeline.config.campaign import ConfigFile
from pipeline.pages.baselines.model import MODELS as BASELINES
from pipeline.pages.cleanse.method import METHODS as CLEANSING
from pipeline.pages.readability.index import ENGINES, INDICES
from pipeline.pages.user_models.model import MODELS as USERS
from pipeline.papers.paper import PAPERS
from pipeline.pooling.declaration import METHODS as POOLING
from pipeline.registry import Catalogue
from pipeline.runs.format import FORMATS
from pipeline.runs.fusion.declaration import METHODS as FUSION
from pipeline.runs.fusion.declaration import NORMS
from pipeline.sources.kind import KINDS as SOURCES
from pipeline.sources.kinds.generate import GENERATORS
from pipeline.statistics.correlation.step import STATISTICS

Rules = dict[str, Any]
REGISTRIES: tuple[Catalogue[Any], ...] = (
    BASELINES, CLEANSING, FORMATS, FUSION, GENERATORS, INDICES, NORMS, PAPERS, POOLING,
    STATISTICS, USERS,
)  # fmt: skip
_RENAMED = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum"}  # inside maps


@cache
def context() -> Mapping[str, Any]:
    """The contents of registries for the models: choices, and kinds with their models."""
    return {
        "audit policy": SETS,
        "readability engine": ENGINES,
        **{registry.kind: registry for registry in REGISTRIES},
        "sources": {kind.name: kind.models for kind in SOURCES.values()},
        "dimensions": {kind.name: {"": kind.model} for kind in DIMENSIONS.values()},
        "papers": {"rerun": {paper.name: paper.keys for paper in PAPERS.values()}},
    }


@cache
def schema() -> Rules:
    """The schema of a config, without references, so that paths lead to keys."""
    whole = _of(ConfigFile)
    link = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": link, "title": "Fathom's configuration", **whole}


def _of(model: type[Section]) -> Rules:
    rules = model.model_json_schema()
    plain: Rules = _plain(rules, rules.get("$defs", {}))
    plain.pop("description", None)  # the docstring
    return plain


def _plain(rules: Any, defs: Mapping[str, Any]) -> Any:
    """Resolve references, merge alternatives, and expand registries."""
    if isinstance(rules, list):
        return [_plain(value, defs) for value in rules]
    if not isinstance(rules, Mapping):
        return rules
    if "$ref" in rules:
        target = defs[rules["$ref"].rpartition("/")[2]]
        return _plain({**target, **{k: v for k, v in rules.items() if k != "$ref"}}, defs)
    result: Rules = {}
    for key, value in rules.items():
        if key == "properties":
            result[key] = {name: _plain(sub, defs) for name, sub in value.items()}
        elif key in ("default", "x-name"):  # the keys of a section have their own defaults
            result[key] = {} if isinstance(value, Mapping) else value
        elif key == "description":
            result[key] = " ".join(value.split())  # join the lines of a docstring
        elif key in ("anyOf", "oneOf"):
            result |= _merged([_plain(sub, defs) for sub in value])
        elif key == "patternProperties":
            ((pattern, sub),) = value.items()
            result |= {"propertyNames": {"pattern": pattern}}
            result["additionalProperties"] = _plain(sub, defs)
        elif key == "const":
            result["pattern"] = f"^{value}$"
        elif key not in ("$defs", "title", "x-choices", "x-kinds", "x-also", "x-inner"):
            result[_RENAMED.get(key, str(key))] = _plain(value, defs)
    if "x-also" in rules:
        result["type"] = [rules["x-also"], *result["type"]]
    if "x-inner" in rules:
        result["additionalProperties"]["x-name"] = rules["x-inner"]
    if "x-kinds" in rules:
        result |= _kinds(context()[rules["x-kinds"]])
    if "x-choices" in rules:
        registry = context()[rules["x-choices"]]
        result["enum"] = list(registry)
        if "{choices}" in result.get("description", ""):  # with titles and citations
            texts = {e.name: filter(None, (e.title, e.citation)) for e in registry.values()}
            choices = ", ".join(f"`{name}` ({'; '.join(text)})" for name, text in texts.items())
            result["description"] = result["description"].replace("{choices}", choices)
    return result


def _merged(alternatives: list[Rules]) -> Rules:
    """Merge alternative rules of a value into one."""
    types = [rules["type"] for rules in alternatives if "type" in rules]
    names = [name for kind in types for name in (kind if isinstance(kind, list) else [kind])]
    union = {key: rule for rules in alternatives for key, rule in rules.items()}
    union.pop("description", None)
    if "enum" in union and "null" in names:
        union["enum"] = [*union["enum"], None]
    return {**union, "type": list(dict.fromkeys(names))}


def _kinds(kinds: Mapping[str, Mapping[str, type[Section]]]) -> Rules:
    """The keys of all kinds; a key is required if every kind requires it."""
    schemas = [_of(model) for models in kinds.values() for model in models.values()]
    properties: Rules = {}
    for rules in schemas:
        for key, rule in rules["properties"].items():
            required_by_all = all(key in each.get("required", ()) for each in schemas)
            properties[key] = rule if required_by_all else {"default": None, **rule}
    required = [key for key, rule in properties.items() if "default" not in rule]
    result: Rules = {"type": "object", "additionalProperties": False, "properties": properties}
    return result | ({"required": required} if required else {})


def merged(*maps: Mapping[str, Any]) -> dict[str, Any]:
    """Merge maps recursively, like Snakemake merges configs: the last value counts.

    >>> merged({"labels": {"a": 1}}, {"labels": {"b": 2}, "order": "score"})
    {'labels': {'a': 1, 'b': 2}, 'order': 'score'}
    """
    result: dict[str, Any] = {}
    for mapping in maps:
        for key, value in mapping.items():
            old = result.get(key)
            both = isinstance(old, Mapping) and isinstance(value, Mapping)
            result[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def rules_at(path: Path) -> Rules:
    """The rules at a path of the config, or an empty map."""
    rules = schema()
    for part in path:
        properties = rules.get("properties", {})
        rules = (
            rules.get("items")
            if isinstance(part, int)
            else properties.get(part, rules.get("additionalProperties"))
        ) or {}
    return rules


def keys(rules: Rules, *, above: Path = ()) -> Iterator[tuple[Path, Rules]]:
    """Yield every key of the schema with its path; user-defined names are `<name>`."""
    for key, sub in rules.get("properties", {}).items():
        path = (*above, key)
        yield path, sub
        yield from keys(sub, above=path)
        inner = sub.get("additionalProperties")
        while isinstance(inner, dict) and "x-name" in sub:  # nested names
            path = (*path, f"<{sub['x-name']}>")
            yield from keys(inner, above=path)
            sub, inner = inner, inner.get("additionalProperties")


def dotted(path: Iterable[str | int]) -> str:
    """Format a path of the config.

    >>> dotted(["campaigns", "mine", "measures", 2])
    'campaigns.mine.measures[2]'
    >>> dotted(["campaigns", "clef.2015", "title"])
    "campaigns.'clef.2015'.title"
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:  # quoted if it contains dots
            quoted = part.replace("\n", "\\n")  # messages are single lines
            text += f".{part}" if re.fullmatch(r"[\w<>-]+", part) else f".'{quoted}'"
    return text.removeprefix(".")
