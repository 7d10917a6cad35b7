"""A source from a git repository at a commit: from a mirror, the cache, or the server.

A mirror's repository is read at the same commit. A mirror that is a plain folder of files has no
commits; what it holds is taken as it is, and what it lacks is told.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import InputError
from pipeline.sources.deadline import Deadline
from pipeline.sources.git_process import Git
from pipeline.sources.missing import keep
from pipeline.sources.places import Places
from pipeline.sources.repository import Tree, address, bring, bring_files, cached, tree
from pipeline.sources.wanted import matching
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
    deadline = Deadline.after(places.deadline, url=url)
    git = Git(folder=Path(), url=url, deadline=deadline)
    mirrored = _mirrored(url, places.mirror)
    with atomic_folder(folder) as draft:
        if mirrored is None:
            with _cache(places) as cache, cached(git, cache=cache) as own:
                found = bring(own, commit)
                names = _named(found, paths)
                bring_files(found, names).write(names, draft)
            lacking: list[str] = []
        elif inside := _repository(mirrored):
            at = Git(folder=inside, url=str(mirrored), deadline=deadline)
            lacking = _from_repository(at, commit, paths, draft)
        else:
            lacking = _from_folder(mirrored, paths, files, draft)
        if lacking:
            _tell(lacking, mirror=mirrored or folder, missing=missing, draft=draft)


def held(url: str, *, commit: str, paths: Sequence[str], places: Places) -> set[str]:
    """The files a mirror would give now; none without a mirror."""
    mirrored = _mirrored(url, places.mirror)
    if mirrored is None:
        return set()
    known: Iterable[str] = _files_in(mirrored)
    if inside := _repository(mirrored):
        deadline = Deadline.after(places.deadline, url=url)
        found = tree(Git(folder=inside, url=str(mirrored), deadline=deadline), commit)
        known = [n for n, o in found.files.items() if o not in found.missing] if found else []
    return {name for names in matching(known, paths).values() for name in names}


def _files_in(folder: Path) -> Iterator[str]:
    for parent, _, inside in os.walk(folder):
        for name in inside:
            yield (Path(parent) / name).relative_to(folder).as_posix()


def _tell(lacking: Sequence[str], *, mirror: Path, missing: str, draft: Path) -> None:
    fix = "add them to the mirror" + (", or set missing: warn" if missing == "error" else "")
    told = "; ".join(lacking[:5]) + (f"; and {len(lacking) - 5} more" if len(lacking) > 5 else "")
    sentence = f"{mirror}: the mirror lacks files: {told}; {fix}"
    empty = not any(path.is_file() for path in draft.rglob("*"))
    if missing == "error" or empty:
        raise InputError(sentence)
    print(f"fathom: warning: {sentence}", file=sys.stderr)
    keep(lacking, draft)


def _mirrored(url: str, mirror: Path | None) -> Path | None:
    """The mirror's folder of a repository; None without a mirror, and for a local repository."""
    named = address(url)
    if mirror is None or named is None:
        return None
    for place in (mirror / named, mirror / f"{named}.git"):
        if place.is_dir():
            return place
    raise InputError(
        f"{url}: the mirror {mirror} has no folder {named}; put the repository or its files there, "
        "or use the network without FATHOM_MIRROR and fetch.mirror"
    )


def _repository(folder: Path) -> Path | None:
    """The git repository of a mirror's folder, bare or not; None if it is plain files."""
    inner = folder / ".git"
    if inner.is_file():  # a working tree or submodule says where its repository is
        return (
            folder / inner.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        ).resolve()
    if inner.is_dir():
        return inner
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def _named(found: Tree, paths: Sequence[str]) -> list[str]:
    """The files of the paths; a path that matches nothing is a mistake in the config."""
    matched = matching(found.files, paths)
    for path, names in matched.items():
        if not names:
            raise InputError(
                f"{found.git.url}: '{path}' matches no file of commit {found.commit}; "
                "correct paths of this source"
            )
    return sorted({name for names in matched.values() for name in names})


def _from_repository(git: Git, commit: str, paths: Sequence[str], draft: Path) -> list[str]:
    found = tree(git, commit)
    if found is None:
        raise InputError(
            f"{git.url}: this repository of the mirror has no commit {commit}; "
            "fetch it there, or correct the commit"
        )
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


@contextmanager
def _cache(places: Places) -> Iterator[Path]:
    """The cache, or a folder in its stead that goes with this job."""
    if places.cache is not None:
        yield places.cache
        return
    with tempfile.TemporaryDirectory(prefix="fathom-") as name:
        yield Path(name)
