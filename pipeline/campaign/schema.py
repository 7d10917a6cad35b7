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
    whole = _of(ConfigFile)
    link = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": link, "title": "Fathom's configuration", **whole}


def _of(model: type[Section]) -> Rules:
    rules = model.model_json_schema()
    found: Rules = _plain(rules, rules.get("$defs", {}))
    found.pop("description", None)  # the docstring
    return found


def _plain(rules: Any, defs: Mapping[str, Any]) -> Any:
    """Rules without references, alternatives as one, and registries written out."""
    if isinstance(rules, list):
        return [_plain(one, defs) for one in rules]
    if not isinstance(rules, Mapping):
        return rules
    if "$ref" in rules:
        named = defs[rules["$ref"].rpartition("/")[2]]
        return _plain({**named, **{k: v for k, v in rules.items() if k != "$ref"}}, defs)
    made: Rules = {}
    for key, one in rules.items():
        if key == "properties":
            made[key] = {name: _plain(sub, defs) for name, sub in one.items()}
        elif key in ("default", "x-name"):
            made[key] = {} if isinstance(one, Mapping) else one  # a section's keys have their own
        elif key == "description":
            made[key] = " ".join(one.split())  # a docstring has lines
        elif key in ("anyOf", "oneOf"):
            made |= _merged([_plain(sub, defs) for sub in one])
        elif key == "patternProperties":
            ((pattern, sub),) = one.items()
            made |= {"propertyNames": {"pattern": pattern}}
            made["additionalProperties"] = _plain(sub, defs)
        elif key == "const":
            made["pattern"] = f"^{one}$"
        elif key not in ("$defs", "title", "x-choices", "x-kinds", "x-also", "x-inner"):
            made[_RENAMED.get(key, str(key))] = _plain(one, defs)
    if "x-also" in rules:
        made["type"] = [rules["x-also"], *made["type"]]
    if "x-inner" in rules:
        made["additionalProperties"]["x-name"] = rules["x-inner"]
    if "x-kinds" in rules:
        made |= _kinds(context()[rules["x-kinds"]])
    if "x-choices" in rules:
        known = context()[rules["x-choices"]]
        made["enum"] = list(known)
        if meanings := [_meaning(entry) for entry in known.values()]:
            made |= {"enumDescriptions": meanings} if any(meanings) else {}
    return made


def _meaning(entry: Any) -> str:
    """An entry of a registry in a sentence, with its citation; empty if it declares neither."""
    title, meaning, citation = (
        getattr(entry, name, "") for name in ("title", "meaning", "citation")
    )
    text = meaning if meaning.startswith(title) else f"{title}. {meaning}"
    return "; ".join(filter(None, (text.strip(" ."), citation)))


def _merged(ways: list[Rules]) -> Rules:
    """Several ways to write a value, as one rule."""
    types = [one["type"] for one in ways if "type" in one]
    made = {key: rule for one in ways for key, rule in one.items() if key != "description"}
    flat = [name for one in types for name in (one if isinstance(one, list) else [one])]
    if "enum" in made and "null" in flat:
        made["enum"] = [*made["enum"], None]
    return {**made, "type": list(dict.fromkeys(flat))}


def _kinds(kinds: Mapping[str, Mapping[str, type[Section]]]) -> Rules:
    """The keys of all kinds; one is required if every kind requires it."""
    every = [_of(model) for models in kinds.values() for model in models.values()]
    properties: Rules = {}
    for rules in every:
        for key, one in rules["properties"].items():
            needed = all(key in other.get("required", ()) for other in every)
            properties[key] = one if needed else {"default": None, **one}
    required = [key for key, one in properties.items() if "default" not in one]
    made: Rules = {"type": "object", "additionalProperties": False, "properties": properties}
    return made | ({"required": required} if required else {})


def merged(*maps: Mapping[str, Any]) -> dict[str, Any]:
    """Several maps in one, as Snakemake makes one config of several: the last value counts.

    >>> merged({"labels": {"a": 1}}, {"labels": {"b": 2}, "order": "score"})
    {'labels': {'a': 1, 'b': 2}, 'order': 'score'}
    """
    found: dict[str, Any] = {}
    for one in maps:
        for key, value in one.items():
            here = found.get(key)
            both = isinstance(here, Mapping) and isinstance(value, Mapping)
            found[key] = merged(here, value) if both else value  # type: ignore[arg-type]
    return found


def rules_at(path: Path) -> Rules:
    """The rules of a place in the config; empty where there are none."""
    rules = schema()
    for part in path:
        known = rules.get("properties", {})
        rules = (
            rules.get("items")
            if isinstance(part, int)
            else known.get(part, rules.get("additionalProperties"))
        ) or {}
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
