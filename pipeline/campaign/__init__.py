"""A campaign's configuration: read and checked as a whole before any job starts, then frozen.

`load` reads files and `from_config` a config that was read; both give the campaigns and papers
with all problems at once, and each broken campaign as far as it goes. `resolve` finds the local
files, `expand` is for jobs, which also see the folders of sources. Mistakes that two sections make
together are looked for where both are good, since they would only be echoes otherwise.
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
# What stands for what no campaign is without, until the campaign is made.
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
    """What a config says: the good campaigns and papers, and all problems of the others."""

    campaigns: Mapping[str, Campaign]
    papers: Mapping[str, Rerun]
    problems: Sequence[Problem]
    partial: Mapping[str, Campaign] = field(default_factory=dict)  # the broken, as far as they go
    given: Mapping[str, Any] = field(default_factory=dict)  # as written

    def checked(self) -> "Loaded":
        """The same, if there is no problem; otherwise all of them as an error."""
        if self.problems:
            raise InputError(*self.problems)
        return self

    @property
    def unused(self) -> list[str]:
        """The campaigns that are there for their own sake: those no paper uses."""
        used = {name for paper in self.papers.values() for name in paper.roles.values()}
        return [name for name in self.campaigns if name not in used]


def load(paths: Iterable[File], *, root: File | None = None) -> Loaded:
    """Read config files, as Snakemake makes one config of several, and check what they say.

    With a `root`, local files must exist below it.
    """
    given: dict[str, Any] = {}
    lines: dict[Path, int] = {}
    problems: list[Problem] = []
    for number, path in enumerate(paths):
        try:
            config, places = strict_yaml.located(path)
        except InputError as error:
            problems += error.problems
            continue
        given = merged(given, config)
        lines = places if number == 0 else {}  # a line of which file?
    if problems:
        return Loaded(campaigns={}, papers={}, problems=problems, given=given)
    loaded = from_config(given, lines=lines)
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
    """Every campaign of `config` by name, or one InputError with all that is wrong."""
    return dict(from_config(config).checked().campaigns)


def from_config(config: Any, *, lines: Mapping[Path, int] | None = None) -> Loaded:
    """What a config says that was read before; `lines` are those of its keys."""
    entries = config.get("campaigns") if isinstance(config, Mapping) else None
    named = entries if isinstance(entries, Mapping) else {}
    read = {name: _campaign(str(name), keys) for name, keys in named.items()}
    made = {name: campaign for name, (campaign, _) in read.items()}
    found: list[Mistake] = []
    file = ConfigFile()
    try:
        whole = {**config, "campaigns": made} if named else config
        file = ConfigFile.model_validate(whole, context=context())
    except ValidationError as error:
        found = mistakes(error, config)
    if not found and not entries and ("campaigns" in config or not file.papers):
        missing = "empty" if "campaigns" in config else "missing"
        found = [Mistake(("campaigns",), f"is {missing}", "add the campaigns to run, by name")]
    found += [mistake for _, own in read.values() for mistake in own]
    broken = {mistake.path[1] for mistake in found if mistake.path[:1] == ("campaigns",) and named}
    good = {name: campaign for name, campaign in made.items() if str(name) not in broken}
    partial = {name: campaign for name, campaign in made.items() if str(name) in broken}
    found += published.problems(file.papers, names=list(named), campaigns=good)
    wanted = {} if found else file.papers
    papers = {name: published.rerun(name, keys, good) for name, keys in wanted.items()}
    problems = [mistake.problem(lines) for mistake in found]
    return Loaded(campaigns=good, papers=papers, problems=problems, partial=partial, given=config)


def _campaign(name: str, keys: Any) -> tuple[Campaign, list[Mistake]]:
    """A campaign, as far as it goes, and all that is wrong with it."""
    at: Path = ("campaigns", name)
    written, found, broken = _read(keys, at)
    campaign = Campaign.of(name, written)
    others = disagreements(campaign, broken)
    found += [mistake._replace(path=(*at, *mistake.path)) for mistake in others]
    if "dimensions" in broken or any(mistake.path[2:3] == ("audit",) for mistake in found):
        campaign = campaign.model_copy(update={"published": None})
    return campaign, found


def _read(keys: Any, at: Path) -> tuple[CampaignKeys, list[Mistake], set[str]]:
    """The keys without what is wrong in them, all that is, and the sections that are not whole."""
    try:
        return CampaignKeys.model_validate(keys, context=context()), [], set()
    except ValidationError as error:
        found = own = mistakes(error, keys, above=at)
    rest = copy.deepcopy(dict(keys)) if isinstance(keys, Mapping) else {}
    broken = {str(one.path[2]) for one in own if one.path[2:] and one.what != UNKNOWN}
    while True:
        removed = [_removed(rest, mistake.path[2:]) for mistake in reversed(found)]
        rest = rest if any(removed) else {}
        absent = [key for key, one in STAND_IN.items() if rest.setdefault(key, one) is one]
        try:
            written = CampaignKeys.model_validate(rest, context=context())
        except ValidationError as error:
            found = mistakes(error, rest, above=at)
            continue
        if "dimensions" not in absent and rest["dimensions"].keys() == keys["dimensions"].keys():
            broken.discard("dimensions")
        blank = dict(BLANK[key] for key in absent if key in BLANK)
        return written.model_copy(update=blank), own, {*broken, *absent}


def _removed(value: Any, path: Path, above: Path = ()) -> bool:
    """Remove what is at a path, or the nearest that holds it; whether any of it was there.

    Labels whose scale is wrong are still read, on a scale that refuses none.
    """
    is_dimension = len(above) == 2 and above[0] == "dimensions" and isinstance(value, dict)
    if is_dimension and path and path[0] in SCALED and "labels" in value:
        for key in SCALED:
            value.pop(key, None)
        value.update(scale=[-1e9, 1e9], threshold=0)
        return True
    items = range(len(value)) if isinstance(value, list) else ()
    places: Iterable[Any] = value if isinstance(value, dict) else items
    for place in places:
        if path and key_name(place) == str(path[0]):
            if not _removed(value[place], path[1:], (*above, path[0])):
                del value[place]
            return True
    return False
