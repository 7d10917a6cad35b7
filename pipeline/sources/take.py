"""A source from a git repository at a commit: from a mirror, the cache, or the server.

A repository in a mirror is read at the same commit. A mirror that is a plain folder of files has no
commits: its files are copied as they are, and missing ones are reported.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.sources import repository
from pipeline.sources.places import Deadline, Places, write_missing
from pipeline.sources.repository import Repository, Tree
from pipeline.storage.atomic import atomic_folder


def fetch_paths(
    folder: Path,
    *,
    url: str,
    commit: str,
    paths: Sequence[str],
    files: Mapping[str, int],
    missing: str,
    places: Places,
) -> None:
    """Fill `folder` with the files of `paths`, atomically.

    `files` is the number of files of a path at that commit, which a plain folder cannot know. If
    files are missing, `missing` makes it an `error` or a warning (`warn`).
    """
    deadline = Deadline(url, places.deadline)
    mirror_folder = _mirror_folder(url, places.mirror)
    lacking: list[str] = []
    with atomic_folder(folder) as draft:
        if mirror_folder is None:
            with tempfile.TemporaryDirectory(prefix="fathom-") as temporary:
                cache = places.cache or Path(temporary)
                with repository.open_cache(url, cache=cache, deadline=deadline) as git:
                    snapshot = repository.fetch_commit(git, commit)
                    names = _matching_files(snapshot, paths)
                    repository.fetch_files(snapshot, names).write(names, draft)
        elif git_folder := _git_folder(mirror_folder):
            at = Repository(folder=git_folder, url=str(mirror_folder), deadline=deadline)
            lacking = _from_repository(at, commit, paths, draft)
        else:
            lacking = _from_folder(mirror_folder, paths, files, draft)
        if lacking:
            _report(lacking, mirror=mirror_folder or folder, missing=missing, draft=draft)


def available_files(url: str, commit: str, paths: Sequence[str], places: Places) -> set[str]:
    """The files that the mirror has now; none without a mirror."""
    mirror_folder = _mirror_folder(url, places.mirror)
    if mirror_folder is None:
        return set()
    available: Iterable[str] = _files_in(mirror_folder)
    if git_folder := _git_folder(mirror_folder):
        deadline = Deadline(url, places.deadline)
        git = Repository(folder=git_folder, url=str(mirror_folder), deadline=deadline)
        snapshot = repository.tree(git, commit)
        available = snapshot.available(snapshot.files) if snapshot else []
    return {name for names in matching(available, paths).values() for name in names}


def _files_in(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def _report(lacking: Sequence[str], *, mirror: Path, missing: str, draft: Path) -> None:
    fix = "add them to the mirror" + (", or set missing: warn" if missing == "error" else "")
    more = [f"and {len(lacking) - 5} more"] if len(lacking) > 5 else []
    problem = Problem(mirror, f"the mirror lacks files: {'; '.join([*lacking[:5], *more])}", fix)
    if missing == "error" or not any(path.is_file() for path in draft.rglob("*")):
        raise InputError(problem)
    print(f"fathom: warning: {problem}", file=sys.stderr)
    write_missing(lacking, draft)


def _mirror_folder(url: str, mirror: Path | None) -> Path | None:
    """The folder of a repository in the mirror; None without a mirror or for a local repository."""
    name = repository.address(url)
    if mirror is None or name is None:
        return None
    for folder in (mirror / name, mirror / f"{name}.git"):
        if folder.is_dir():
            return folder
    fix = "add the repository or its files, or unset FATHOM_MIRROR and fetch.mirror"
    raise InputError(Problem(url, f"the mirror {mirror} has no folder {name}", fix))


def _git_folder(folder: Path) -> Path | None:
    """The git repository of a folder in the mirror, bare or not; None for plain files."""
    inner = folder / ".git"
    if inner.is_file():  # of a working tree or submodule: the path of its repository
        place = inner.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        return (folder / place).resolve()
    if inner.is_dir():
        return inner
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def _matching_files(snapshot: Tree, paths: Sequence[str]) -> list[str]:
    """The files that match the paths; a path without a match is an error."""
    matched = matching(snapshot.files, paths)
    for path, names in matched.items():
        if not names:
            what = f"'{path}' matches no file of commit {snapshot.commit}"
            raise InputError(Problem(snapshot.git.url, what, "correct paths of this source"))
    return sorted({name for names in matched.values() for name in names})


def _from_repository(git: Repository, commit: str, paths: Sequence[str], draft: Path) -> list[str]:
    snapshot = repository.tree(git, commit)
    if snapshot is None:
        what = f"this repository of the mirror has no commit {commit}"
        raise InputError(Problem(git.url, what, "fetch it there, or correct the commit"))
    names = _matching_files(snapshot, paths)
    available = snapshot.available(names)
    snapshot.write(available, draft)
    return sorted({*names} - {*available})  # a partial clone lists files whose contents it lacks


def _from_folder(
    folder: Path, paths: Sequence[str], files: Mapping[str, int], draft: Path
) -> list[str]:
    lacking = []
    for path, names in matching(_files_in(folder), paths).items():
        if path in files and len(names) < files[path]:
            lacking.append(f"{path} ({len(names)} of {files[path]})")
        elif not names:
            lacking.append(path)
        for name in names:
            target = draft / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, target)
    return lacking


def matching(names: Iterable[str], patterns: Sequence[str]) -> Mapping[str, list[str]]:
    """The names that each pattern matches, sorted; names may be from a folder or a commit.

    Globs work as in Python's `glob`, which reads folders only: `*` does not cross folders, `**`
    does, and hidden names must be matched explicitly. A folder matches all files in it.

    >>> dict(matching(["runs/a.dat", "runs/x/b.dat"], ["runs/*.dat", "runs"]))
    {'runs/*.dat': ['runs/a.dat'], 'runs': ['runs/a.dat', 'runs/x/b.dat']}
    """
    ordered = sorted(names)
    matches: dict[str, list[str]] = {}
    for pattern in patterns:
        if pattern in ordered:  # an existing file name with brackets is not a glob
            matches[pattern] = [pattern]
            continue
        below, parts = pattern.rstrip("/") + "/", pattern.rstrip("/").split("/")
        matches[pattern] = [
            name for name in ordered if name.startswith(below) or _fits(name.split("/"), parts)
        ]
    return matches


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the parts of a path match the parts of a glob."""
    if not names or not parts:
        return not names and not parts
    if names[0].startswith(".") and not parts[0].startswith("."):
        return parts[0] == "**" and len(parts) > 1 and _fits(names, parts[1:])
    if parts[0] == "**":
        last = len(parts) == 1 and len(names) == 1
        return last or _fits(names, parts[1:]) or _fits(names[1:], parts)
    return fnmatchcase(names[0], parts[0]) and _fits(names[1:], parts[1:])
