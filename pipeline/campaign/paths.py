"""From the path patterns of a config to files on disk.

A pattern is a path or glob relative to the project's root, or `@source/...` inside a folder that a
job makes. The second kind cannot be expanded before that job ran, so the workflow depends on the
folder (`resolve`, `Files`) and the script finds the files when it runs (`expand`).
"""

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.campaign.model import Campaign
from pipeline.collection import document_id
from pipeline.errors import InputError
from pipeline.trec import run_name, team


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
    sets: Mapping[str, Mapping[str, Files]] = field(default_factory=dict)


def listed(value: str | Sequence[str]) -> tuple[str, ...]:
    """One pattern or several, always as several."""
    return (value,) if isinstance(value, str) else tuple(value)


def split(pattern: str) -> tuple[str | None, str]:
    """Source name and the rest of the pattern; no source for a local one."""
    if not pattern.startswith("@"):
        return None, pattern
    source, _, rest = pattern[1:].partition("/")
    return source, rest


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
            local.update(dict.fromkeys(_matches(rest, root=root, where=where)))
    return Files(local=tuple(local), made=tuple(made))


def expand(patterns: Sequence[str], *, sources: str | Path, root: str | Path = ".") -> list[Path]:
    """All files of the patterns, inside a job: `sources` holds the made folders.

    Order as in `files`; a pattern that matches nothing is an error.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        if source is None:
            names = _matches(rest, root=root, where="")
            found.update(dict.fromkeys(Path(root) / name for name in names))
        else:
            folder = Path(sources) / source
            names = _matches(rest, root=folder, where="", shown=pattern)
            found.update(dict.fromkeys(folder / name for name in names))
    return list(found)


def run_names(paths: Sequence[str | Path]) -> dict[str, Path]:
    """Run name (file name without `.gz`) to path; two files with one name are an error."""
    named: dict[str, Path] = {}
    for path in map(Path, paths):
        name = run_name(path)
        if name in named:
            raise InputError(
                f"{named[name]} and {path} both give the run name '{name}'; "
                "rename one of them or take it out of runs.files"
            )
        named[name] = path
    return named


def documents(paths: Sequence[str | Path]) -> list[tuple[str, Path]]:
    """(document id, page) of files that are a page each."""
    return [(document_id(path), path) for path in map(Path, paths)]


def resolve(campaign: Campaign, *, root: str | Path = ".") -> Inputs:
    """Find every local file of a campaign; all that is wrong is told at once."""
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
        made = dict.fromkeys(name for part in parts for name in part.made)
        return Files(local=tuple(local), made=tuple(made))

    for source in campaign.sources.values():
        if source.url is not None and "://" not in source.url:
            found([glob.escape(source.url)], f"sources.{source.name}.url")
    inputs = Inputs(
        runs=found(campaign.runs.files, "runs.files"),
        labels={
            name: found(dimension.labels.files, f"dimensions.{name}.labels")
            for name, dimension in campaign.dimensions.items()
            if dimension.labels
        },
        topics=found([campaign.topics.file], "topics.file") if campaign.topics else None,
        pages=found(campaign.pages.files, "pages.files") if campaign.pages else None,
        costs=found([campaign.costs.file], "costs.file") if campaign.costs else None,
        published=(found(campaign.audit.published, "audit.published") if campaign.audit else None),
        sets={
            name: {
                key: found(paths, f"dimensions.{name}.sets.{key}")
                for key, paths in dimension.judging.sets.items()
            }
            for name, dimension in campaign.dimensions.items()
            if dimension.judging
        },
    )
    try:
        for name in (*run_names(inputs.runs.local), *campaign.fusion):
            team(name, pattern=campaign.runs.team)
    except InputError as error:
        problems.append(f"config: campaigns.{campaign.name}.runs: {error}")
    refuse(problems)
    return inputs


def refuse(problems: Sequence[str]) -> None:
    """Raise all problems as one InputError, if there are any: one sentence a line.

    Everything at once, since a person who fixes a config wants one round, not ten.
    """
    if len(problems) == 1:
        raise InputError(problems[0])
    if problems:
        raise InputError("\n".join([f"config: {len(problems)} problems:", *problems]))


def _matches(pattern: str, *, root: str | Path, where: str, shown: str = "") -> list[str]:
    """The files a pattern matches below `root`, sorted; never empty."""
    if (Path(root) / pattern).is_file():  # a name with brackets is a name before it is a glob
        return [pattern]
    # not Path.glob: it takes no absolute pattern and finds hidden files
    found = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
    names = sorted(name for name in found if (Path(root) / name).is_file())
    if names:
        return names
    subject = f"{where} '{shown or pattern}'".strip()
    if found:
        raise InputError(f"{subject} is a folder, not a file; write '{found[0].rstrip('/')}/*'")
    raise InputError(f"{subject} matches no file; correct the path, relative to {_root(root)}")


def _root(root: str | Path) -> str:
    return "the project's root" if str(root) == "." else f"{root}"
