"""The files a campaign depends on: local ones that exist now, and folders that a job makes."""

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.campaign import dimension_kind
from pipeline.campaign.model import Campaign
from pipeline.errors import InputError
from pipeline.pages.baselines.settings import run_of
from pipeline.pages.collection import document_id
from pipeline.runs.batch import twins
from pipeline.runs.teams import teams_of
from pipeline.runs.trec import run_name
from pipeline.sources.kind import KINDS
from pipeline.sources.paths import matches, split


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a rule depends on: `local` files that exist now, and names of `made` source folders."""

    local: tuple[str, ...]
    made: tuple[str, ...]

    def inputs(self, sources: str | Path) -> list[str]:
        """All as paths for a rule's input, `sources` being the folder of made folders."""
        return [*self.local, *(str(Path(sources) / name) for name in self.made)]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files of a whole campaign, resolved."""

    runs: Files
    labels: Mapping[str, Files]
    topics: Files | None
    pages: Files | None
    costs: Files | None
    published: Files | None
    teams: Files | None = None
    people: Mapping[str, Files] = field(default_factory=dict)  # preferences, satisfaction
    sets: Mapping[str, Mapping[str, Files]] = field(default_factory=dict)
    audited: Mapping[str, Mapping[str, Files]] = field(default_factory=dict)  # other labels, by set
    further: Mapping[str, Mapping[str, Files]] = field(default_factory=dict)  # of each dimension
    sources: Mapping[str, Files] = field(default_factory=dict)  # what generated ones read
    against: tuple[str, ...] = ()  # the files of an earlier state


def files(patterns: Sequence[str], *, root: str | Path = ".", where: str = "") -> Files:
    """Expand the local patterns now and name the made folders of the others.

    Patterns keep their order and files are sorted within each, because a label policy may say that
    the first file wins. `where` is the key path to blame when a pattern matches nothing.
    """
    local: dict[str, None] = {}
    made: dict[str, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        if source is not None:
            made[source] = None
        else:
            local.update(dict.fromkeys(matches(rest, root=root, where=where)))
    return Files(local=tuple(local), made=tuple(made))


def run_names(paths: Sequence[str | Path]) -> dict[str, Path]:
    """Run name (file name without `.gz`) to path; two files with one name are an error."""
    files = [Path(path) for path in paths]
    for told in twins(files):
        raise InputError(told)
    return {run_name(path): path for path in files}


def documents(paths: Sequence[str | Path]) -> list[tuple[str, Path]]:
    """(document id, page) of files that are a page each."""
    return [(document_id(path), path) for path in map(Path, paths)]


def resolve(campaign: Campaign, *, root: str | Path = ".") -> Inputs:
    """Find every local file of a campaign; all that is wrong is told at once."""
    inputs, problems = find(campaign, root=root)
    refuse(problems)
    return inputs


def find(campaign: Campaign, *, root: str | Path = ".") -> tuple[Inputs, list[str]]:
    """The local files of a campaign that are there, and a sentence for all that is wrong."""
    problems: list[str] = []

    def found(patterns: Sequence[str], key: str) -> Files:
        parts = []
        for pattern in patterns:
            try:
                where = f"config: campaigns.{campaign.name}.{key}"
                parts.append(files([pattern], root=root, where=where))
            except InputError as error:
                problems.append(str(error))
        local = dict.fromkeys(path for part in parts for path in part.local)
        problems.extend(
            f"config: campaigns.{campaign.name}.{key}: the file '{path}' has braces in its name, "
            "which Snakemake takes for a wildcard; rename it"
            for path in local
            if set("{}") & set(path)
        )
        made = dict.fromkeys(name for part in parts for name in part.made)
        return Files(local=tuple(local), made=tuple(made))

    for source in campaign.sources.values():
        for key, path in KINDS[source.kind].local_files(source.settings).items():
            found([glob.escape(path)], f"sources.{source.name}.{key}")
    inputs = Inputs(
        runs=found(campaign.runs.files, "runs.files"),
        labels={
            name: found(patterns, f"dimensions.{name}.{dimension.kind}")
            for name, dimension in campaign.dimensions.items()
            if (patterns := dimension_kind.of(dimension).files(dimension))
        },
        topics=found([campaign.topics.file], "topics.file") if campaign.topics else None,
        pages=found(campaign.pages.files, "pages.files") if campaign.pages else None,
        costs=found([campaign.costs.file], "costs.file") if campaign.costs else None,
        published=(found(campaign.audit.published, "audit.published") if campaign.audit else None),
        people={
            key: found(patterns, key)
            for key in ("preferences", "satisfaction")
            if campaign.people and (patterns := getattr(campaign.people, key))
        },
        sets={
            name: {
                key: found(paths, f"dimensions.{name}.sets.{key}")
                for key, paths in dimension.judging.sets.items()
            }
            for name, dimension in campaign.dimensions.items()
            if dimension.judging
        },
        teams=(
            found([campaign.runs.team.table], "runs.team.table")
            if campaign.runs.team and campaign.runs.team.table
            else None
        ),
        audited={
            name: {
                key: found(one.files, f"audit.labels.{name}.{key}.labels")
                for key, one in chosen.items()
            }
            for name, chosen in (campaign.audit.labels if campaign.audit else {}).items()
        },
        further={
            name: {key: found([path], f"dimensions.{name}.{key}") for key, path in paths.items()}
            for name, dimension in campaign.dimensions.items()
            if (paths := dimension_kind.of(dimension).further(dimension))
        },
        sources={
            name: found(patterns, f"sources.{name}.{key}")
            for name, source in campaign.sources.items()
            for key, patterns in KINDS[source.kind].paths(source.settings).items()
        },
        against=_earlier(campaign, Path(root), problems),
    )
    try:
        submitted = run_names(inputs.runs.local)
        tables = inputs.teams.local if inputs.teams else ()
        if inputs.teams is None or tables:  # a table that a job makes is read when it is there
            teams_of(
                {name: str(path) for name, path in submitted.items()},
                given=campaign.runs.team,
                table=Path(root, tables[0]) if tables else None,
            )
        for name in map(run_of, campaign.baselines):
            if name in submitted:
                raise InputError(f"{submitted[name]} has the name of a baseline; rename the file")
    except InputError as error:
        problems.append(f"config: campaigns.{campaign.name}.runs: {error}")
    return inputs, problems


def _earlier(campaign: Campaign, root: Path, problems: list[str]) -> tuple[str, ...]:
    """The files of the state that the results are compared with, if they are."""
    if campaign.against is None:
        return ()
    from pipeline.report.changes import state  # half a second that few pay

    where = f"config: campaigns.{campaign.name}.report.against"
    folder = root / campaign.against
    if folder.resolve() == (root / "results" / campaign.name).resolve():
        told = "is where the present results go; keep a state with 'fathom keep' and name that"
        problems.append(f"{where} {told}")
        return ()
    if told := state.lacking(folder):
        problems.append(f"{where}: {told}")
        return ()
    return tuple(str(Path(campaign.against) / p.relative_to(folder)) for p in state.files(folder))


def refuse(problems: Sequence[str]) -> None:
    """Raise all problems as one InputError, if there are any: one sentence a line.

    Everything at once, since a person who fixes a config wants one round, not ten.
    """
    if len(problems) == 1:
        raise InputError(problems[0])
    if problems:
        raise InputError("\n".join([f"config: {len(problems)} problems:", *problems]))
