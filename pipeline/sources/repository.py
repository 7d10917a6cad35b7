"""A commit's files: its tree, the wanted files in it, and how they are brought from a server.

The cache holds one bare repository for each address. A commit is brought without its history and,
where the server can, without files nobody wants; git objects are named by their content, so what
is there once serves every campaign.
"""

import re
import sys
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError
from pipeline.sources.git_process import Git, GitError
from pipeline.sources.places import folder_in

LINK, MODULE = "120000", "160000"  # what a tree may hold besides files
TRIES, PAUSE = 4, 1.0


@dataclass(frozen=True)
class Tree:
    """The files of a commit: name to object; `missing` are objects this repository lacks."""

    git: Git
    commit: str
    files: Mapping[str, str]
    odd: frozenset[str]  # links and submodules
    missing: frozenset[str]

    def write(self, names: Sequence[str], folder: Path) -> None:
        """Write these files as they are stored: no line ends changed, no filters."""
        for name in names:
            _refuse(name, self)
            content = self.git.run("cat-file", "blob", self.files[name])
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def address(url: str) -> PurePosixPath | None:
    """Host, owner and name of a repository; None for a local one.

    >>> str(address("https://github.com/CLEFeHealth/CHS-2021.git"))
    'github.com/CLEFeHealth/CHS-2021'
    """
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in {"http", "https", "git"} or not parts.hostname:
        return None
    path = urllib.parse.unquote(parts.path).strip("/").removesuffix(".git")
    named = [part for part in path.split("/") if part not in {"", ".", ".."}]
    return PurePosixPath(parts.hostname, *named)


def tree(git: Git, commit: str) -> Tree | None:
    """The commit's tree, or None if this repository does not have it."""
    try:
        # Says which objects are not there, where other commands would go and fetch them.
        walk = ("rev-list", "--objects", "--no-walk", "--missing=print", "--no-object-names")
        objects = git.run(*walk, commit).decode().split()
        listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "replace")
    except GitError:
        return None
    files: dict[str, str] = {}
    odd: set[str] = set()
    for entry in filter(None, listed.split("\0")):
        about, _, name = entry.partition("\t")
        mode, _, thing = about.split()
        files[name] = thing
        if mode in (LINK, MODULE):
            odd.add(name)
    missing = frozenset(one[1:] for one in objects if one.startswith("?"))
    return Tree(git, commit, files, frozenset(odd), missing)


@contextmanager
def cached(git: Git, *, cache: Path) -> Iterator[Git]:
    """The cache's repository of an address, ours alone as long as it is used."""
    named = address(git.url) or PurePosixPath("local", *PurePosixPath(git.url).parts[1:])
    place = folder_in(cache, "git", str(named.parent)) / f"{named.name}.git"
    with place.with_suffix(".lock").open("w") as lock:
        git.deadline.lock(lock.fileno())
        own = replace(git, folder=place, held=(lock.fileno(),))
        try:
            own.run("init", "--quiet", "--bare", str(place))
        except GitError as error:
            raise InputError(
                f"{place}: git cannot use this folder of the cache ({error})"
            ) from None
        # A fetch that was killed leaves its own lock and half a pack; nobody else is here.
        for left in (*place.glob("*.lock"), *place.glob("objects/pack/tmp_*")):
            left.unlink(missing_ok=True)
        yield own


def bring(git: Git, commit: str) -> Tree:
    """The commit from the cache's repository, fetched first if it is not there."""
    found = tree(git, commit)
    if found is None:
        # One commit, no file contents: these follow once it is known which are wanted.
        _fetch(git, commit, "--depth=1", "--filter=blob:none", commit)
        found = tree(git, commit)
    if found is None:
        raise _no_commit(git, commit)
    return found


def bring_files(found: Tree, names: Sequence[str]) -> Tree:
    """The contents of these files, those that are not there fetched in one go."""
    for name in names:
        _refuse(name, found)
    wanted = sorted({found.files[name] for name in names} & found.missing)
    if not wanted:
        return found
    _fetch(
        *(found.git, found.commit, "--no-write-fetch-head", "--filter=blob:none", "--stdin"),
        feed="\n".join(wanted).encode() + b"\n",
    )
    again = tree(found.git, found.commit)
    assert again is not None
    return again


def _fetch(git: Git, commit: str, *what: str, feed: bytes = b"") -> None:
    """Fetch, again with longer and longer pauses where the reason may pass."""
    noop = ("-c", "fetch.negotiationAlgorithm=noop") if feed else ()
    command = (*noop, "fetch", "--progress", "--no-tags", "--recurse-submodules=no")
    remote = ("-c", f"remote.origin.url={git.url}", "-c", "remote.origin.promisor=true")
    plain, reason = False, ""
    for attempt in range(TRIES):
        if attempt:
            git.deadline.sleep(PAUSE * 2 ** (attempt - 1))
            print(f"{git.url}: {reason}; trying again", file=sys.stderr)
        try:
            if not plain:
                options = [one for one in what if one.startswith("--")]
                things = [one for one in what if not one.startswith("--")]
                git.run(*remote, *command, *options, "origin", *things, feed=feed)
                return
        except GitError as error:
            if not _incapable(str(error)):
                reason = _reason(git, str(error), commit)
                continue
            plain = True  # an old or plain server: everything it has, then
        try:
            git.run(*remote, *command, "origin", "+refs/*:refs/fathom/*")
            return
        except GitError as error:
            reason = _reason(git, str(error), commit)
    raise InputError(
        f"{git.url}: not fetched after {TRIES} tries ({reason}); check the network, or set "
        "FATHOM_MIRROR to a folder with the repository, then run again"
    )


def _incapable(said: str) -> bool:
    return bool(
        re.search(r"does not support (shallow|--filter)|dumb http|unadvertised object", said)
    )


def _reason(git: Git, said: str, commit: str) -> str:
    """Why a fetch failed, if that may pass; what will not pass is raised."""
    if re.search(r"not our ref|couldn't find remote ref|no such remote ref", said):
        raise _no_commit(git, commit)
    gone = r"[Rr]epository.*not found|not found: |does not (exist|appear to be a git repository)"
    if re.search(rf"{gone}|could not read Username|Authentication failed|error: 40[134]", said):
        raise InputError(
            f"{git.url}: there is no such repository, or it is not public; correct the address, "
            "or give name and password in ~/.netrc"
        )
    if host := re.search(r"[Cc]ould not resolve host:? ?([^\s;]*)", said):
        return f"the host {host[1]} is unknown"
    lines = [line for line in said.splitlines() if re.match(r"fatal|error", line)]
    first = (lines or said.splitlines())[0]
    return re.sub(r"^(fatal|error): ", "", first).replace(git.url, "").strip(" ':/")


def _no_commit(git: Git, commit: str) -> InputError:
    return InputError(
        f"{git.url}: there is no commit {commit}; correct the commit, "
        "as `git rev-parse HEAD` prints it"
    )


def _refuse(name: str, found: Tree) -> None:
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or ".git" in parts:
        raise InputError(f"{found.git.url}: unsafe path '{name}' in the commit; do not use it")
    if name in found.odd:
        raise InputError(
            f"{found.git.url}: '{name}' is a link or a submodule, not a file; name the file itself"
        )
