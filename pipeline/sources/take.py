"""A source from a git repository at a commit: from a mirror, the cache, or the server.

A mirror's repository is read at the same commit. A mirror that is a plain folder of files has no
commits; its files are taken as they are, and those it lacks are reported.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.sources.places import Deadline, Places, write_missing
from pipeline.sources.repository import Repository, Tree, address, bring, bring_files, cached, tree
from pipeline.storage.atomic import atomic_folder


def take(
    folder: Path,
    *,
    url: str,
    commit: str,
    paths: Sequence[str],
    files: Mapping[str, int],
    missing: str,
    places: Places,
) -> None:
    """Fill `folder` with the files of `paths`, whole or not at all.

    `files` says how many a path has at that commit, which a plain folder cannot know; fewer are
    an `error` or a warning (`warn`), as `missing` says.
    """
    deadline = Deadline(url, places.deadline)
    mirrored = _mirrored(url, places.mirror)
    lacking: list[str] = []
    with atomic_folder(folder) as draft:
        if mirrored is None:
            with tempfile.TemporaryDirectory(prefix="fathom-") as short_lived:
                cache = places.cache or Path(short_lived)
                with cached(url, cache=cache, deadline=deadline) as git:
                    found = bring(git, commit)
                    names = _named(found, paths)
                    bring_files(found, names).write(names, draft)
        elif inside := _repository(mirrored):
            at = Repository(folder=inside, url=str(mirrored), deadline=deadline)
            lacking = _from_repository(at, commit, paths, draft)
        else:
            lacking = _from_folder(mirrored, paths, files, draft)
        if lacking:
            _report(lacking, mirror=mirrored or folder, missing=missing, draft=draft)


def held(url: str, commit: str, paths: Sequence[str], places: Places) -> set[str]:
    """The files a mirror would give now; none without a mirror."""
    mirrored = _mirrored(url, places.mirror)
    if mirrored is None:
        return set()
    known: Iterable[str] = _files_in(mirrored)
    if inside := _repository(mirrored):
        deadline = Deadline(url, places.deadline)
        found = tree(Repository(folder=inside, url=str(mirrored), deadline=deadline), commit)
        known = [n for n, o in found.files.items() if o not in found.missing] if found else []
    return {name for names in matching(known, paths).values() for name in names}


def _files_in(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def _report(lacking: Sequence[str], *, mirror: Path, missing: str, draft: Path) -> None:
    fix = "add them to the mirror" + (", or set missing: warn" if missing == "error" else "")
    shown = "; ".join(lacking[:5]) + (f"; and {len(lacking) - 5} more" if len(lacking) > 5 else "")
    problem = Problem(mirror, f"the mirror lacks files: {shown}", fix)
    if missing == "error" or not any(path.is_file() for path in draft.rglob("*")):
        raise InputError(problem)
    print(f"fathom: warning: {problem}", file=sys.stderr)
    write_missing(lacking, draft)


def _mirrored(url: str, mirror: Path | None) -> Path | None:
    """The mirror's folder of a repository; None without a mirror, and for a local repository."""
    named = address(url)
    if mirror is None or named is None:
        return None
    for place in (mirror / named, mirror / f"{named}.git"):
        if place.is_dir():
            return place
    fix = (
        "put the repository or its files there, or use the network without FATHOM_MIRROR and "
        "fetch.mirror"
    )
    raise InputError(Problem(url, f"the mirror {mirror} has no folder {named}", fix))


def _repository(folder: Path) -> Path | None:
    """The git repository of a mirror's folder, bare or not; None if it is plain files."""
    inner = folder / ".git"
    if inner.is_file():  # a working tree or submodule says where its repository is
        place = inner.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        return (folder / place).resolve()
    if inner.is_dir():
        return inner
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def _named(found: Tree, paths: Sequence[str]) -> list[str]:
    """The files of the paths; a path that matches nothing is a mistake in the config."""
    matched = matching(found.files, paths)
    for path, names in matched.items():
        if not names:
            what = f"'{path}' matches no file of commit {found.commit}"
            raise InputError(Problem(found.git.url, what, "correct paths of this source"))
    return sorted({name for names in matched.values() for name in names})


def _from_repository(git: Repository, commit: str, paths: Sequence[str], draft: Path) -> list[str]:
    found = tree(git, commit)
    if found is None:
        what = f"this repository of the mirror has no commit {commit}"
        raise InputError(Problem(git.url, what, "fetch it there, or correct the commit"))
    names = _named(found, paths)
    here = [name for name in names if found.files[name] not in found.missing]
    found.write(here, draft)
    return sorted(set(names) - set(here))  # a partial clone knows names whose contents it lacks


def _from_folder(
    folder: Path, paths: Sequence[str], files: Mapping[str, int], draft: Path
) -> list[str]:
    lacking = []
    for path, found in matching(_files_in(folder), paths).items():
        if path in files and len(found) < files[path]:
            lacking.append(f"{path} ({len(found)} of {files[path]})")
        elif not found:
            lacking.append(path)
        for name in found:
            place = draft / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, place)
    return lacking


def matching(names: Iterable[str], patterns: Sequence[str]) -> Mapping[str, list[str]]:
    """The names each pattern matches, sorted; names on disk or in a commit.

    Globs have the meaning of Python's own, which reads folders only: `*` stays inside a folder,
    `**` crosses folders, hidden names must be named. A folder stands for everything in it.

    >>> dict(matching(["runs/a.dat", "runs/x/b.dat"], ["runs/*.dat", "runs"]))
    {'runs/*.dat': ['runs/a.dat'], 'runs': ['runs/a.dat', 'runs/x/b.dat']}
    """
    known = sorted(names)
    found: dict[str, list[str]] = {}
    for pattern in patterns:
        if pattern in known:  # a name with brackets is a name before it is a glob
            found[pattern] = [pattern]
            continue
        below, parts = pattern.rstrip("/") + "/", pattern.rstrip("/").split("/")
        found[pattern] = [
            name for name in known if name.startswith(below) or _fits(name.split("/"), parts)
        ]
    return found


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the names of a path fit the parts of a glob."""
    if not names or not parts:
        return not names and not parts
    if names[0].startswith(".") and not parts[0].startswith("."):
        return parts[0] == "**" and len(parts) > 1 and _fits(names, parts[1:])
    if parts[0] == "**":
        last = len(parts) == 1 and len(names) == 1
        return last or _fits(names, parts[1:]) or _fits(names[1:], parts)
    return fnmatchcase(names[0], parts[0]) and _fits(names[1:], parts[1:])
