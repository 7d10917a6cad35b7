"""The inputs of the input check: the files that the patterns of a config match, and policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.config.dimensions import Labels
from pipeline.config.people import People
from pipeline.config.runs import Teams
from pipeline.config.topics import Topics
from pipeline.errors import InputError, Problem
from pipeline.intake.findings import Finding, Kind, findings
from pipeline.people.reading import read_preferences, read_ratings
from pipeline.runs.reader import RunPolicies
from pipeline.sources.paths import expand, split
from pipeline.sources.places import read_missing

PEOPLE = {"preferences": read_preferences, "satisfaction": read_ratings}


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files of a campaign, and the policies for reading them."""

    runs: Sequence[Path]
    labels: Mapping[str, Labels]
    files: Mapping[str, Sequence[Path]]  # of labels
    topics: Topics | None = None
    topics_file: Path | None = None
    form: str = "trec"
    team: Teams | None = None
    team_table: Path | None = None
    order: str = "score"
    depth: int = 1000
    duplicates: str = "error"
    bad_scores: str = "error"
    setting: str = RunPolicies.setting  # how the caller sets a policy
    topics_from: str = "labels"  # the topics that count
    further: Sequence[str] = ()  # names of labels that no measure uses
    intents: Mapping[str, Path | None] = field(default_factory=dict)  # weights of subtopics
    people: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    made: Sequence[str] = ()  # runs without a file: baselines and fused ones


def find_inputs(
    *,
    runs: Sequence[str],
    labels: Mapping[str, Labels],
    further: Mapping[str, Labels],
    topics: Topics | None,
    team: Teams | None,
    people: People | None,
    sources: str | Path,
    **policies: Any,
) -> tuple[Inputs, list[Finding]]:
    """The files that exist, and a finding for each pattern that matches none.

    `further` labels are those of judgement sets and of the audit, which no measure uses.
    """
    problems: list[Finding] = []
    named_sources: dict[str, None] = {}

    def matches(patterns: Sequence[str | None], kind: Kind, name: str = "") -> list[Path]:
        files: dict[Path, None] = {}
        for pattern in filter(None, patterns):
            named_sources[split(pattern)[0] or ""] = None
            try:
                files.update(dict.fromkeys(expand([pattern], sources=sources)))
            except InputError as error:
                problems.extend(findings((p.at(pattern) for p in error.problems), kind, name))
        return list(files)

    def first(pattern: str | None, kind: Kind, name: str = "") -> Path | None:
        return next(iter(matches([pattern], kind, name)), None)

    def by_name(kind: Kind, patterns: Mapping[str, Sequence[str]]) -> dict[str, list[Path]]:
        files = {name: matches(part, kind, name) for name, part in patterns.items()}
        return {name: paths for name, paths in files.items() if paths}

    all_labels = {**labels, **further}
    intents = {name: part.intents for name, part in labels.items() if part.intents}
    inputs = Inputs(
        intents={name: first(pattern, "labels", name) for name, pattern in intents.items()},
        team_table=first(team.table if team else None, "teams"),
        runs=matches(runs, "config"),
        labels=all_labels,
        files=by_name("labels", {name: part.files for name, part in all_labels.items()}),
        topics=topics,
        topics_file=first(topics.file if topics else None, "topics"),
        team=team,
        further=tuple(further),
        people=by_name("people", {name: getattr(people, name) for name in PEOPLE if people}),
        **policies,
    )
    for source in filter(None, named_sources):
        if missing := read_missing(Path(sources, source)):
            what = f"the source is incomplete: {'; '.join(missing)}"
            fix = "add the files to the mirror; until then results are of the available files only"
            problem = Problem(f"@{source}", what, fix, "warning")
            problems += findings([problem], "source", source)
    return inputs, problems
