"""What the input check reads: the files that a config's patterns match, and the policies."""

from collections.abc import Callable, Mapping, Sequence
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

PEOPLE: Mapping[str, Callable[..., object]] = {
    "preferences": read_preferences,
    "satisfaction": read_ratings,
}


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files of a campaign, and the policies they are read under."""

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
    topics_from: str = "labels"  # which topics count: of the first dimension's labels, or `topics`
    further: Sequence[str] = ()  # names of labels that measures do not read
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
    """The files that are there, and a finding for each pattern that matches none.

    `further` labels are those of judgement sets and of the audit, which measures do not read.
    """
    problems: list[Finding] = []
    asked: dict[str, None] = {}  # the sources that patterns name

    def found(patterns: Sequence[str | None], kind: Kind, name: str = "") -> list[Path]:
        files: dict[Path, None] = {}
        for pattern in filter(None, patterns):
            asked[split(pattern)[0] or ""] = None
            try:
                files.update(dict.fromkeys(expand([pattern], sources=sources)))
            except InputError as error:
                problems.extend(findings((p.at(pattern) for p in error.problems), kind, name))
        return list(files)

    def first(pattern: str | None, kind: Kind, name: str = "") -> Path | None:
        return next(iter(found([pattern], kind, name)), None)

    every = {**labels, **further}
    people_files = {name: found(getattr(people, name), "people", name) for name in PEOPLE if people}
    inputs = Inputs(
        intents={n: first(one.intents, "labels", n) for n, one in labels.items() if one.intents},
        team_table=first(team.table if team else None, "teams"),
        runs=found(runs, "config"),
        labels=every,
        files={n: files for n, one in every.items() if (files := found(one.files, "labels", n))},
        topics=topics,
        topics_file=first(topics.file if topics else None, "topics"),
        team=team,
        further=tuple(further),
        people={name: paths for name, paths in people_files.items() if paths},
        **policies,
    )
    for source in filter(None, asked):
        if missing := read_missing(Path(sources, source)):
            what = f"only a part is here: {'; '.join(missing)}"
            fix = "add the files to the mirror; until then figures are of the part, and say so"
            problem = Problem(f"@{source}", what, fix, "warning")
            problems += findings([problem], "source", source)
    return inputs, problems
