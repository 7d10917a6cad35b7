"""The input check of whole campaigns, also of those whose config is broken.

Errors of the config, sources that cannot be had and missing files stand on the page beside the
problems of the files that are there. Every campaign gets its page and its table.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.campaign import Campaign, Loaded, load
from pipeline.campaign.schema import dotted
from pipeline.config.base import FILE_NAME
from pipeline.errors import InputError, Problem
from pipeline.intake.check import Assigned, assigned, inspect
from pipeline.intake.findings import Finding, findings, in_order
from pipeline.intake.inputs import find_inputs
from pipeline.intake.page import write_check
from pipeline.sources.kind import make
from pipeline.sources.paths import split
from pipeline.sources.places import campaign_places

RESULTS = Path("results")


# The problems of one campaign, and the folder with its page and its table.
Checked = tuple[Sequence[Finding], Path]


def check(config: Path) -> list[Checked]:
    """Check all campaigns of a config."""
    loaded = load([config], root=Path())
    campaigns = {**loaded.campaigns, **loaded.partial}
    named = loaded.given.get("campaigns")  # in this order
    known = [name for name in (campaigns and named) or () if re.fullmatch(FILE_NAME, str(name))]
    if known:
        return [_campaign(config, campaigns[name], loaded) for name in known]
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", config.stem).lstrip("._-") or "config"
    return [_write(stem, config.name, _findings(config, loaded.problems))]


def _findings(config: Path, problems: Iterable[Problem]) -> list[Finding]:
    """Problems of the config as findings of its file, which name the key."""
    of_file = (
        one if one.where == config else replace(one, where=config, what=f"{one.where}: {one.what}")
        for one in problems
    )
    return findings(of_file, "config")


def _campaign(config: Path, campaign: Campaign, loaded: Loaded) -> Checked:
    name, own = campaign.name, dotted(("campaigns", campaign.name))
    problems = [
        problem  # of this campaign, or of all
        for problem in loaded.problems
        if not (where := str(problem.where)).startswith("campaigns.")
        or f"{where}.".startswith(f"{own}.")
    ]
    found = _findings(config, problems)
    with tempfile.TemporaryDirectory() as folder:
        places = [str(problem.where) for problem in problems]
        tried = {s for s in campaign.sources if any(f".sources.{s}." in where for where in places)}
        missing = {*tried, *_fetch(campaign, loaded.given, Path(folder), tried, found)}
        inputs, unmatched = find_inputs(
            runs=campaign.runs.files,
            form=campaign.runs.format,
            team=campaign.runs.team,
            labels=campaign.labels,
            further={},
            topics=campaign.topics,
            people=campaign.people,
            sources=folder,
            **campaign.check_policies,
        )
        # The config's own check has reported local files that are missing, and sources.
        found += [one for one in unmatched if split(one.file)[0] not in (None, *missing)]
        found += inspect(inputs)
        shown = [_renamed(one, folder, str(RESULTS / name / "sources")) for one in found]
        teams = assigned(inputs.runs, given=inputs.team, table=inputs.team_table)
        return _write(name, campaign.title or name, shown, runs=inputs.runs, teams=teams)


def _fetch(
    campaign: Campaign,
    given: Mapping[str, Any],
    folder: Path,
    tried: set[str],
    found: list[Finding],
) -> Iterator[str]:
    """Put each source into the folder, linked or made; the names of those that cannot be had."""
    for name, source in campaign.sources.items():
        before = RESULTS / campaign.name / "sources" / name
        if before.is_dir():
            (folder / name).symlink_to(before.resolve(), target_is_directory=True)
        elif name not in tried:
            try:
                places = campaign_places(given, campaign=campaign.name)
                make(folder / name, kind=source.kind, settings=source.settings, places=places)
            except InputError as error:
                found += findings(error.problems, "source", name)
                yield name


def _renamed(finding: Finding, folder: str, place: str) -> Finding:
    """A finding with a source's file under the name it has in the campaign's results."""
    what, where = (text.replace(folder, place) for text in (finding.what, finding.file))
    return replace(finding, where=where, what=what)


def _write(
    name: str,
    title: str,
    found: Sequence[Finding],
    *,
    runs: Sequence[Path] = (),
    teams: Assigned | None = None,
) -> Checked:
    folder, found = RESULTS / name / "check", in_order(found)
    write_check(found, title=title, runs=runs, teams=teams or Assigned(), folder=folder)
    return found, folder
