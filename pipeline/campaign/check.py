"""The input check of whole campaigns, including those with an invalid config.

The page of each campaign lists errors of the config, unavailable sources, missing files, and the
problems of all available files.
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
from pipeline.intake.check import TeamAssignment, assign_teams, inspect
from pipeline.intake.findings import Finding, findings, in_order
from pipeline.intake.inputs import find_inputs
from pipeline.intake.page import write_check
from pipeline.sources.kind import make
from pipeline.sources.paths import split
from pipeline.sources.places import campaign_places

RESULTS = Path("results")
# The problems of a campaign, and the folder with its page and table.
Checked = tuple[Sequence[Finding], Path]


def check(config: Path) -> list[Checked]:
    """Check all campaigns of a config."""
    loaded = load([config], root=Path())
    campaigns = {**loaded.campaigns, **loaded.partial}
    entries = loaded.config.get("campaigns")  # in the config's order
    names = [name for name in (campaigns and entries) or () if re.fullmatch(FILE_NAME, str(name))]
    if names:
        return [_campaign(config, campaigns[name], loaded) for name in names]
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", config.stem).lstrip("._-") or "config"
    return [_write(stem, config.name, _findings(config, loaded.problems))]


def _findings(config: Path, problems: Iterable[Problem]) -> list[Finding]:
    """Problems of the config as findings of its file that name the key."""
    of_file = (
        p if p.where == config else replace(p, where=config, what=f"{p.where}: {p.what}")
        for p in problems
    )
    return findings(of_file, "config")


def _campaign(config: Path, campaign: Campaign, loaded: Loaded) -> Checked:
    name, key = campaign.name, dotted(("campaigns", campaign.name))
    problems = [
        problem  # of this campaign, or of the whole config
        for problem in loaded.problems
        if not (where := str(problem.where)).startswith("campaigns.")
        or f"{where}.".startswith(f"{key}.")
    ]
    results = _findings(config, problems)
    with tempfile.TemporaryDirectory() as folder:
        places = [str(problem.where) for problem in problems]
        failed = {s for s in campaign.sources if any(f".sources.{s}." in where for where in places)}
        missing = {*failed, *_fetch(campaign, loaded.config, Path(folder), failed, results)}
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
        # The check of the config has already reported missing local files and sources.
        results += [f for f in unmatched if split(f.file)[0] not in (None, *missing)]
        results += inspect(inputs)
        renamed = [_rename(f, folder, str(RESULTS / name / "sources")) for f in results]
        teams = assign_teams(inputs.runs, settings=inputs.team, table=inputs.team_table)
        return _write(name, campaign.title or name, renamed, runs=inputs.runs, teams=teams)


def _fetch(
    campaign: Campaign,
    config: Mapping[str, Any],
    folder: Path,
    failed: set[str],
    results: list[Finding],
) -> Iterator[str]:
    """Link or make each source in the folder; yield the names of unavailable ones."""
    for name, source in campaign.sources.items():
        existing = RESULTS / campaign.name / "sources" / name
        if existing.is_dir():
            (folder / name).symlink_to(existing.resolve(), target_is_directory=True)
        elif name not in failed:
            try:
                places = campaign_places(config, campaign=campaign.name)
                make(folder / name, kind=source.kind, settings=source.settings, places=places)
            except InputError as error:
                results += findings(error.problems, "source", name)
                yield name


def _rename(finding: Finding, folder: str, replacement: str) -> Finding:
    """Replace the temporary folder of sources in a finding by that of the results."""
    what, where = (text.replace(folder, replacement) for text in (finding.what, finding.file))
    return replace(finding, where=where, what=what)


def _write(
    name: str,
    title: str,
    results: Sequence[Finding],
    *,
    runs: Sequence[Path] = (),
    teams: TeamAssignment | None = None,
) -> Checked:
    folder, results = RESULTS / name / "check", in_order(results)
    write_check(results, title=title, runs=runs, teams=teams or TeamAssignment(), folder=folder)
    return results, folder
