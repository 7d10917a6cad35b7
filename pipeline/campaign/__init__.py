"""A campaign's configuration: read and checked as a whole before any job starts, then frozen.

`load` reads files, `from_config` a mapping. Both return the campaigns and papers, all problems at
once, and the valid part of each invalid campaign. `resolve` finds the local files. Conflicts
between sections are checked only if both sections are valid.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any

from pydantic import ValidationError

from pipeline.campaign import papers as published
from pipeline.campaign.checks import disagreements
from pipeline.campaign.model import Campaign
from pipeline.campaign.papers import Rerun
from pipeline.campaign.paths import find, resolve
from pipeline.campaign.problems import UNKNOWN, Mistake, key_name, mistakes
from pipeline.campaign.schema import context, dotted, merged
from pipeline.config.base import Path
from pipeline.config.campaign import CampaignKeys, ConfigFile
from pipeline.config.runs import Runs
from pipeline.errors import InputError, Problem
from pipeline.storage import strict_yaml

__all__ = ["Campaign", "Loaded", "campaigns", "from_config", "load", "resolve"]
SCALED = ("scale", "threshold", "better", "gains", "cannot_judge", "sweep")
# Placeholders for required sections that are missing or invalid.
STAND_IN: Mapping[str, Any] = {
    "runs": Runs.model_construct(files=()),
    "dimensions": {"none": {"labels": "-", "scale": [0, 1], "threshold": 1}},
    "measures": ["P@1"],
}
BLANK: Mapping[str, tuple[str, Any]] = {
    "dimensions": ("dimension_keys", {}),
    "measures": ("measure_texts", ()),
}


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A config: its valid campaigns and papers, and the problems of all others."""

    campaigns: Mapping[str, Campaign]
    papers: Mapping[str, Rerun]
    problems: Sequence[Problem]
    partial: Mapping[str, Campaign] = field(default_factory=dict)  # valid parts of invalid ones
    config: Mapping[str, Any] = field(default_factory=dict)  # as written

    def checked(self) -> "Loaded":
        """Raise all problems as one error, if there are any."""
        if self.problems:
            raise InputError(*self.problems)
        return self

    @property
    def unused(self) -> list[str]:
        """The campaigns that no paper uses."""
        in_papers = {name for paper in self.papers.values() for name in paper.roles.values()}
        return [name for name in self.campaigns if name not in in_papers]


def load(paths: Iterable[File], *, root: File | None = None) -> Loaded:
    """Read and check config files, merged like Snakemake's `--configfile`.

    With a `root`, local files must exist below it.
    """
    config: dict[str, Any] = {}
    lines: dict[Path, int] = {}
    problems: list[Problem] = []
    for number, path in enumerate(paths):
        try:
            content, line_of_key = strict_yaml.located(path)
        except InputError as error:
            problems += error.problems
            continue
        config = merged(config, content)
        lines = line_of_key if number == 0 else {}  # lines of several files are ambiguous
    if problems:
        return Loaded(campaigns={}, papers={}, problems=problems, config=config)
    loaded = from_config(config, lines=lines)
    if root is None:
        return loaded
    missing = [
        problem
        for campaign in (*loaded.campaigns.values(), *loaded.partial.values())
        for problem in find(campaign, root=root)[1]
    ]
    line_of = {dotted(path): line for path, line in lines.items()}
    missing = [one.at(one.where, line_of.get(str(one.where))) for one in missing]
    return replace(loaded, problems=[*loaded.problems, *missing])


def campaigns(config: Mapping[str, Any]) -> dict[str, Campaign]:
    """All campaigns of `config` by name, or one InputError with all problems."""
    return dict(from_config(config).checked().campaigns)


def from_config(config: Any, *, lines: Mapping[Path, int] | None = None) -> Loaded:
    """Check a config; `lines` are the line numbers of its keys."""
    entries = config.get("campaigns") if isinstance(config, Mapping) else None
    sections = entries if isinstance(entries, Mapping) else {}
    pairs = {name: _campaign(str(name), keys) for name, keys in sections.items()}
    by_name = {name: campaign for name, (campaign, _) in pairs.items()}
    errors: list[Mistake] = []
    file = ConfigFile()
    try:
        whole = {**config, "campaigns": by_name} if sections else config
        file = ConfigFile.model_validate(whole, context=context())
    except ValidationError as error:
        errors = mistakes(error, config)
    if not errors and not entries and ("campaigns" in config or not file.papers):
        missing = "empty" if "campaigns" in config else "missing"
        errors = [Mistake(("campaigns",), f"is {missing}", "add the campaigns to run, by name")]
    errors += [mistake for _, own in pairs.values() for mistake in own]
    paths = [mistake.path for mistake in errors if sections]
    broken = {path[1] for path in paths if path[:1] == ("campaigns",)}
    good = {name: campaign for name, campaign in by_name.items() if str(name) not in broken}
    partial = {name: campaign for name, campaign in by_name.items() if str(name) in broken}
    errors += published.problems(file.papers, names=list(sections), campaigns=good)
    valid = {} if errors else file.papers
    papers = {name: published.rerun(name, keys, good) for name, keys in valid.items()}
    problems = [mistake.problem(lines) for mistake in errors]
    return Loaded(campaigns=good, papers=papers, problems=problems, partial=partial, config=config)


def _campaign(name: str, keys: Any) -> tuple[Campaign, list[Mistake]]:
    """The valid part of a campaign, and all mistakes in it."""
    at: Path = ("campaigns", name)
    section, errors, broken = _read(keys, at)
    campaign = Campaign.of(name, section)
    conflicts = disagreements(campaign, broken)
    errors += [mistake._replace(path=(*at, *mistake.path)) for mistake in conflicts]
    if "dimensions" in broken or any(mistake.path[2:3] == ("audit",) for mistake in errors):
        campaign = campaign.model_copy(update={"published": None})
    return campaign, errors


def _read(keys: Any, at: Path) -> tuple[CampaignKeys, list[Mistake], set[str]]:
    """The valid keys, all mistakes, and the names of incomplete sections."""
    try:
        return CampaignKeys.model_validate(keys, context=context()), [], set()
    except ValidationError as error:
        current = all_mistakes = mistakes(error, keys, above=at)
    rest = copy.deepcopy(dict(keys)) if isinstance(keys, Mapping) else {}
    broken = {str(one.path[2]) for one in all_mistakes if one.path[2:] and one.what != UNKNOWN}
    while True:
        removed = [_remove(rest, mistake.path[2:]) for mistake in reversed(current)]
        rest = rest if any(removed) else {}
        stand_ins = [key for key, one in STAND_IN.items() if rest.setdefault(key, one) is one]
        try:
            section = CampaignKeys.model_validate(rest, context=context())
        except ValidationError as error:
            current = mistakes(error, rest, above=at)
            continue
        if "dimensions" not in stand_ins and rest["dimensions"].keys() == keys["dimensions"].keys():
            broken.discard("dimensions")
        blank = dict(BLANK[key] for key in stand_ins if key in BLANK)
        return section.model_copy(update=blank), all_mistakes, {*broken, *stand_ins}


def _remove(value: Any, path: Path, above: Path = ()) -> bool:
    """Remove the value at a path, or its nearest parent; return whether there was one.

    Labels with an invalid scale keep their files, with a scale that accepts any label.
    """
    is_dimension = len(above) == 2 and above[0] == "dimensions" and isinstance(value, dict)
    if is_dimension and path and path[0] in SCALED and "labels" in value:
        for key in SCALED:
            value.pop(key, None)
        value.update(scale=[-1e9, 1e9], threshold=0)
        return True
    items = range(len(value)) if isinstance(value, list) else ()
    for place in value if isinstance(value, dict) else items:
        if path and key_name(place) == str(path[0]):
            if not _remove(value[place], path[1:], (*above, path[0])):
                del value[place]
            return True
    return False
