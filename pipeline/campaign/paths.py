"""The files that a campaign depends on: existing local files, and sources that jobs create."""

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
    """The inputs of a rule: existing local files, and the names of sources that jobs create."""

    local: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The resolved files of a campaign.

    Keys are the kind of file and the names of its use, for example `("labels", dimension)`.
    """

    files: Mapping[tuple[str, ...], Files]
    against: tuple[str, ...] = ()  # the files of the baseline version

    def of(self, *place: str) -> list[Files]:
        """The files under a key or key prefix."""
        return [files for at, files in self.files.items() if at[: len(place)] == place]


def file_keys(campaign: Campaign) -> Iterator[tuple[tuple[str, ...], Keys, Sequence[str]]]:
    """Yield every config key with file patterns: key in `Inputs`, path in the config, patterns."""
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
    for key in ("preferences", "satisfaction"):
        if patterns := getattr(campaign, key):
            yield ("people", key), (key,), patterns
    if published:
        yield ("published",), ("audit", "published"), published.published
        for name, dimensions in published.labels.items():
            for target, labels in dimensions.items():
                at = ("audit", "labels", name, target, "labels")
                yield ("audited", name, target), at, labels.labels


def resolve(campaign: Campaign, *, root: str | Path = ".") -> Inputs:
    """Find all local files of a campaign, or raise all problems at once."""
    inputs, problems = find(campaign, root=root)
    if problems:
        raise InputError(*problems)
    return inputs


def find(campaign: Campaign, *, root: str | Path = ".") -> tuple[Inputs, list[Problem]]:
    """Find the local files of a campaign; return the problems of all others."""
    problems: list[Problem] = []
    at = ("campaigns", campaign.name)
    for source in campaign.sources.values():
        for key, path in KINDS[source.kind].local_files(source.settings).items():
            _find([glob.escape(path)], root, dotted((*at, "sources", source.name, key)), problems)
    files = {
        place: _find(patterns, root, dotted((*at, *keys)), problems)
        for place, keys, patterns in file_keys(campaign)
    }
    inputs = Inputs(files=files, against=_earlier(campaign, Path(root), problems))
    where = dotted((*at, "runs"))
    submitted = {run_name(Path(path)): path for path in files["runs",].local}
    table = next((path for entry in inputs.of("teams") for path in entry.local), None)
    try:
        if duplicates := same_names([*map(Path, files["runs",].local)]):
            raise InputError(*duplicates)
        if table or not inputs.of("teams"):  # tables in sources are checked later
            table_path = Path(root, table) if table else None
            teams_of(submitted, given=campaign.runs.team, table=table_path)
        for name in map(baseline_run, campaign.baselines):
            if name in submitted:
                what = f"the run {submitted[name]} has the name of a baseline"
                problems.append(Problem(where, what, "rename the file"))
    except InputError as error:
        problems += [problem.at(where) for problem in error.problems]
    return inputs, problems


def _find(patterns: Sequence[str], root: str | Path, where: str, problems: list[Problem]) -> Files:
    """Expand patterns of local files, and list the sources that other patterns name.

    Files are sorted within each pattern; patterns keep their order, because the first label of a
    document may count. Problems refer to the key `where`.
    """
    local: dict[str, None] = {}
    sources: dict[str, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        if source is not None:
            sources[source] = None
            continue
        try:
            local |= dict.fromkeys(matches(rest, root=root, where=""))
        except InputError as error:
            problems += [problem.at(where) for problem in error.problems]
    what = "the file name '{}' has braces, which Snakemake interprets as a wildcard"
    with_braces = (path for path in local if set("{}") & set(path))
    problems += [Problem(where, what.format(path), "rename the file") for path in with_braces]
    return Files(local=tuple(local), sources=tuple(sources))


def _earlier(campaign: Campaign, root: Path, problems: list[Problem]) -> tuple[str, ...]:
    """The files of the baseline version, if the campaign has one."""
    if campaign.against is None:
        return ()
    where = f"{dotted(('campaigns', campaign.name))}.report.against"
    folder = root / campaign.against
    if folder.resolve() == (root / "results" / campaign.name).resolve():
        fix = "run 'fathom keep' and set the folder it prints"
        problems.append(Problem(where, "is the folder of the current results", fix))
        return ()
    earlier = Results(folder)
    try:
        earlier.check_comparable()
    except InputError as error:
        problems += [problem.at(where) for problem in error.problems]
        return ()
    return tuple(str(Path(campaign.against) / p.relative_to(folder)) for p in earlier.kept_files())
