"""The files a campaign depends on: local ones that exist now, and folders that a job makes."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.campaign.model import Campaign
from pipeline.campaign.schema import dotted
from pipeline.config.base import Path as Keys
from pipeline.errors import InputError, Problem
from pipeline.results import Results
from pipeline.runs.reader import run_name, same_names
from pipeline.runs.teams import baseline_run, teams_of
from pipeline.sources.kind import KINDS
from pipeline.sources.paths import matches, split


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a rule depends on: `local` files that exist now, and names of `made` source folders."""

    local: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files of a whole campaign, resolved.

    A file has a place: its kind, and the names of what it is for, such as `("labels", dimension)`.
    """

    files: Mapping[tuple[str, ...], Files]
    against: tuple[str, ...] = ()  # the files of an earlier state

    def of(self, *place: str) -> list[Files]:
        """The files at a place, or at all places below it."""
        return [files for at, files in self.files.items() if at[: len(place)] == place]


def file_keys(campaign: Campaign) -> Iterator[tuple[tuple[str, ...], Keys, Sequence[str]]]:
    """Every key with patterns of files: its place in `Inputs`, its place in the config, they."""
    runs, published = campaign.runs, campaign.published
    for source in campaign.sources.values():
        for key, patterns in KINDS[source.kind].paths(source.settings).items():
            yield ("sources", source.name), ("sources", source.name, key), patterns
    yield ("runs",), ("runs", "files"), runs.files
    if runs.team and runs.team.table:
        yield ("teams",), ("runs", "team", "table"), [runs.team.table]
    for name, dimension in campaign.dimensions.items():
        for path, patterns in dimension.keys.paths():
            kind = {dimension.kind.name: "labels", "sets": "sets"}.get(str(path[0]), "further")
            further = () if kind == "labels" else (str(path[-1]),)
            yield (kind, name, *further), ("dimensions", name, *path), patterns
    if campaign.topics:
        yield ("topics",), ("topics", "file"), [campaign.topics.file]
    if campaign.pages:
        yield ("pages",), ("pages", "files"), campaign.pages.files
    if campaign.costs:
        yield ("costs",), ("costs", "file"), [campaign.costs.file]
    if campaign.preferences:
        yield ("people", "preferences"), ("preferences",), campaign.preferences
    if campaign.satisfaction:
        yield ("people", "satisfaction"), ("satisfaction",), campaign.satisfaction
    if published:
        yield ("published",), ("audit", "published"), published.published
        for name, chosen in published.labels.items():
            for other, labels in chosen.items():
                at = ("audit", "labels", name, other, "labels")
                yield ("audited", name, other), at, labels.labels


def resolve(campaign: Campaign, *, root: str | Path = ".") -> Inputs:
    """Find every local file of a campaign; all that is wrong is told at once."""
    inputs, problems = find(campaign, root=root)
    if problems:
        raise InputError(*problems)
    return inputs


def find(campaign: Campaign, *, root: str | Path = ".") -> tuple[Inputs, list[Problem]]:
    """The local files of a campaign that are there, and what is wrong with the others."""
    problems: list[Problem] = []
    at = ("campaigns", campaign.name)
    for source in campaign.sources.values():
        for key, path in KINDS[source.kind].local_files(source.settings).items():
            where = dotted((*at, "sources", source.name, key))
            _find([glob.escape(path)], root, where, problems)
    files = {
        place: _find(patterns, root, dotted((*at, *keys)), problems)
        for place, keys, patterns in file_keys(campaign)
    }
    inputs = Inputs(files=files, against=_earlier(campaign, Path(root), problems))
    where = dotted((*at, "runs"))
    submitted = {run_name(Path(path)): path for path in files["runs",].local}
    table = next((path for one in inputs.of("teams") for path in one.local), None)
    try:
        if same := same_names([*map(Path, files["runs",].local)]):
            raise InputError(*same)
        if table or not inputs.of("teams"):  # a table that a job makes is read when it is there
            found = Path(root, table) if table else None
            teams_of(submitted, given=campaign.runs.team, table=found)
        for name in map(baseline_run, campaign.baselines):
            if name in submitted:
                what = f"{submitted[name]} has the name of a baseline"
                problems.append(Problem(where, what, "rename the file"))
    except InputError as error:
        problems += [problem.at(where) for problem in error.problems]
    return inputs, problems


def _find(patterns: Sequence[str], root: str | Path, where: str, problems: list[Problem]) -> Files:
    """The files that local patterns match now, and the made folders of the others.

    Patterns keep their order and files are sorted within each, because a label policy may say that
    the first file wins. Problems are those of the key, `where`.
    """
    local: dict[str, None] = {}
    made: dict[str, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        if source is not None:
            made[source] = None
            continue
        try:
            local |= dict.fromkeys(matches(rest, root=root, where=""))
        except InputError as error:
            problems += [problem.at(where) for problem in error.problems]
    what = "the file '{}' has braces in its name, which Snakemake takes for a wildcard"
    braced = (path for path in local if set("{}") & set(path))
    problems += [Problem(where, what.format(path), "rename it") for path in braced]
    return Files(local=tuple(local), made=tuple(made))


def _earlier(campaign: Campaign, root: Path, problems: list[Problem]) -> tuple[str, ...]:
    """The files of the state that the results are compared with, if they are."""
    if campaign.against is None:
        return ()
    where = f"{dotted(('campaigns', campaign.name))}.report.against"
    folder = root / campaign.against
    if folder.resolve() == (root / "results" / campaign.name).resolve():
        fix = "run 'fathom keep' and name what it kept"
        problems.append(Problem(where, "is the folder of the present results", fix))
        return ()
    earlier = Results(folder)
    try:
        earlier.check_comparable()
    except InputError as error:
        problems += [problem.at(where) for problem in error.problems]
        return ()
    return tuple(str(Path(campaign.against) / p.relative_to(folder)) for p in earlier.kept_files())
