"""A campaign's configuration: checked as a whole before any job starts, then frozen.

`campaigns` needs no disk, `resolve` finds the local files, `expand` is for jobs, which also see
the folders other jobs made. Problems are told all at once, one sentence a line: each names the key
path, the value and the fix. Whether keys have the right shape is checked first, and a campaign
whose shape is wrong is not searched for errors of meaning, since those would only be echoes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.campaign import consistency, paper_settings
from pipeline.campaign import schema as shape
from pipeline.campaign.key_table import key_table
from pipeline.campaign.model import (
    Campaign,
    Dimension,
    Estimate,
    Pages,
    Policies,
    Runs,
    Source,
)
from pipeline.campaign.paper_settings import papers
from pipeline.campaign.paths import Files, Inputs, documents, files, refuse, resolve, run_names
from pipeline.campaign.problems import Path
from pipeline.sources.paths import expand

__all__ = [
    "Campaign",
    "Dimension",
    "Estimate",
    "Files",
    "Inputs",
    "Pages",
    "Policies",
    "Runs",
    "Source",
    "campaigns",
    "documents",
    "examined",
    "expand",
    "files",
    "key_table",
    "papers",
    "resolve",
    "run_names",
    "told_at",
]


def campaigns(config: Mapping[str, Any]) -> dict[str, Campaign]:
    """Every campaign of `config` by name, or one InputError with all that is wrong."""
    made, told = examined(config)
    refuse(told)
    return made


def examined(config: Mapping[str, Any]) -> tuple[dict[str, Campaign], list[str]]:
    """The campaigns with which nothing is wrong, and a sentence for all that is with the others."""
    rules = shape.schema()
    problems = shape.problems(config, schema=rules)
    broken = {path[1] for path, _ in problems if len(path) > 1}
    made: dict[str, Campaign] = {}
    if not any(len(path) < 2 for path, _ in problems):
        given = shape.plain(config).get("campaigns", {})
        each = rules["properties"]["campaigns"]["additionalProperties"]
        for name in (name for name in given if name in broken):
            wrong = [path[2:] for path, _ in problems if path[:2] == ("campaigns", name)]
            told = _measures_anyway(given[name], wrong=wrong, schema=each)
            problems += [(("campaigns", name, *path), sentence) for path, sentence in told]
        for name in (name for name in given if name not in broken):
            full = shape.filled(given[name], schema=each)
            campaign, told = consistency.campaign(name, given=given[name], full=full)
            problems += [(("campaigns", name, *path), sentence) for path, sentence in told]
            if campaign is not None:
                made[name] = campaign
        if not any(path[0] == "papers" for path, _ in problems):
            problems += paper_settings.problems(shape.plain(config))
    return made, [told_at(path, sentence) for path, sentence in problems]


def _measures_anyway(
    given: Any, *, wrong: Sequence[Path], schema: Mapping[str, Any]
) -> list[tuple[Path, str]]:
    """What is wrong with a campaign's measures, if that can be said in spite of other mistakes."""
    rest = shape.without(given, wrong) if isinstance(given, Mapping) else {}
    if shape.problems(rest, schema=schema) or set(rest["dimensions"]) != set(given["dimensions"]):
        return []
    return consistency.measure_problems(shape.filled(rest, schema=schema))


def told_at(path: Path, sentence: str) -> str:
    """What is wrong at a place of the config, as it is told."""
    where = shape.dotted(path) or "the file"
    return f"config: {where}{'' if sentence.startswith(':') else ' '}{sentence}"
