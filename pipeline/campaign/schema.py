"""The JSON schema of a config, from the models and the registries that they name.

It is published as `config/schema.json`, for editors; the reference of the docs derives from it.
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
    """What the models take from registries: names to choose from, and kinds with their models."""
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
    """The schema of a config, without references, so that a key is found by its path."""
    link = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": link, "title": "Fathom's configuration", **_of(ConfigFile)}


def _of(model: type[Section]) -> Rules:
    rules = model.model_json_schema()
    plain: Rules = _plain(rules, rules.get("$defs", {}))
    plain.pop("description", None)  # the docstring of the model
    return plain


def _plain(rules: Any, defs: Mapping[str, Any]) -> Any:
    """Rules without references, alternatives as one, and registries written out."""
    if isinstance(rules, list):
        return [_plain(entry, defs) for entry in rules]
    if not isinstance(rules, Mapping):
        return rules
    if "$ref" in rules:
        named = defs[rules["$ref"].rpartition("/")[2]]
        return _plain({**named, **{k: v for k, v in rules.items() if k != "$ref"}}, defs)
    plain: Rules = {}
    for key, value in rules.items():
        if key == "properties":
            plain[key] = {name: _plain(sub, defs) for name, sub in value.items()}
        elif key in ("default", "x-name"):
            plain[key] = {} if isinstance(value, Mapping) else value  # those of its keys count
        elif key == "description":
            plain[key] = " ".join(value.split())  # a docstring has lines
        elif key in ("anyOf", "oneOf"):
            plain |= _merged([_plain(sub, defs) for sub in value])
        elif key == "patternProperties":
            ((pattern, sub),) = value.items()
            plain["propertyNames"] = {"pattern": pattern}
            plain["additionalProperties"] = _plain(sub, defs)
        elif key == "const":
            plain["pattern"] = f"^{value}$"
        elif key not in ("$defs", "title", "x-choices", "x-kinds", "x-also", "x-inner"):
            plain[_RENAMED.get(key, str(key))] = _plain(value, defs)
    if "x-also" in rules:
        plain["type"] = [rules["x-also"], *plain["type"]]
    if "x-inner" in rules:
        plain["additionalProperties"]["x-name"] = rules["x-inner"]
    if "x-kinds" in rules:
        plain |= _kinds(context()[rules["x-kinds"]])
    if "x-choices" in rules:
        known = context()[rules["x-choices"]]
        plain["enum"] = list(known)
        if meanings := [_meaning(entry) for entry in known.values()]:
            plain |= {"enumDescriptions": meanings} if any(meanings) else {}
    return plain


def _meaning(entry: Any) -> str:
    """An entry of a registry in a sentence, with its citation; empty if it declares neither."""
    title, meaning, citation = (getattr(entry, key, "") for key in ("title", "meaning", "citation"))
    text = meaning if meaning.startswith(title) else f"{title}. {meaning}"
    return "; ".join(filter(None, (text.strip(" ."), citation)))


def _merged(ways: list[Rules]) -> Rules:
    """Several ways to write a value, as one rule."""
    types = [way["type"] for way in ways if "type" in way]
    both = {key: rule for way in ways for key, rule in way.items() if key != "description"}
    names = [name for kind in types for name in (kind if isinstance(kind, list) else [kind])]
    if "enum" in both and "null" in names:
        both["enum"] = [*both["enum"], None]
    return {**both, "type": list(dict.fromkeys(names))}


def _kinds(kinds: Mapping[str, Mapping[str, type[Section]]]) -> Rules:
    """The keys of all kinds; a key is required if every kind requires it."""
    every = [_of(model) for models in kinds.values() for model in models.values()]
    properties: Rules = {}
    for rules in every:
        for key, rule in rules["properties"].items():
            needed = all(key in other.get("required", ()) for other in every)
            properties[key] = rule if needed else {"default": None, **rule}
    required = [key for key, rule in properties.items() if "default" not in rule]
    whole: Rules = {"type": "object", "additionalProperties": False, "properties": properties}
    return whole | ({"required": required} if required else {})


def merged(*maps: Mapping[str, Any]) -> dict[str, Any]:
    """Several maps in one, as Snakemake makes one config of several: the last value counts.

    >>> merged({"labels": {"a": 1}}, {"labels": {"b": 2}, "order": "score"})
    {'labels': {'a': 1, 'b': 2}, 'order': 'score'}
    """
    whole: dict[str, Any] = {}
    for values in maps:
        for key, value in values.items():
            here = whole.get(key)
            both = isinstance(here, Mapping) and isinstance(value, Mapping)
            whole[key] = merged(here, value) if both else value  # type: ignore[arg-type]
    return whole


def rules_at(path: Path) -> Rules:
    """The rules of a place in the config; empty where there are none."""
    rules = schema()
    for part in path:
        inner = rules.get("properties", {}).get(part, rules.get("additionalProperties"))
        rules = (rules.get("items") if isinstance(part, int) else inner) or {}
    return rules


def keys(rules: Rules, *, above: Path = ()) -> Iterator[tuple[Path, Rules]]:
    """Every key of the schema with its path, top down; a name the user chooses is `<name>`."""
    for key, sub in rules.get("properties", {}).items():
        path = (*above, key)
        yield path, sub
        yield from keys(sub, above=path)
        others = sub.get("additionalProperties")
        while isinstance(others, dict) and "x-name" in sub:  # names within names
            path = (*path, f"<{sub['x-name']}>")
            yield from keys(others, above=path)
            sub, others = others, others.get("additionalProperties")


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
            quoted = part.replace("\n", "\\n")  # a message is a line
            text += f".{part}" if re.fullmatch(r"[\w<>-]+", part) else f".'{quoted}'"
    return text.removeprefix(".")
