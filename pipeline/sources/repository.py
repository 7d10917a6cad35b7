"""A commit's files: its tree, the wanted files in it, and how git fetches them from a server.

The cache holds one bare repository for each address. A commit is fetched without its history and,
where the server can, without files nobody wants; git objects are named by their content, so what
is there once serves every campaign.
"""

import os
import re
import signal
import subprocess
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError, Problem
from pipeline.sources.addresses import place
from pipeline.sources.places import PROGRESS_EVERY, Deadline, Transient, folder_in

PERCENT = re.compile(r"\d+% \(\d+/\d+\)")  # of git's progress
LINK, MODULE = "120000", "160000"  # what a tree may hold besides files
AGAIN = "check the network, or set FATHOM_MIRROR to a folder with the repository, then run again"
INCAPABLE = r"does not support (shallow|--filter)|dumb http|unadvertised object"

# What git must never do in a job: ask, use another repository than ours, speak another language.
QUIET: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https",
    "LC_ALL": "C",
}
# No upkeep in the middle of a job; a connection that brings less than 1 kB/s for 30 s is dead.
OPTIONS = (
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "credential.helper="),
    *("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "core.hooksPath="),
    *("-c", "advice.detachedHead=false", "-c", "http.userAgent=git/fathom"),
)


class GitError(Exception):
    """Git ended with an error; the text is what it said last."""


@dataclass(frozen=True, kw_only=True)
class Repository:
    """Git on one repository, until the deadline."""

    folder: Path  # the repository itself, not its working files
    url: str  # what is being fetched, for messages
    deadline: Deadline
    held: tuple[int, ...] = ()  # descriptors of locks, which git keeps if this process is killed

    def run(self, *arguments: str, feed: bytes = b"") -> bytes:
        """What git prints; GitError if it fails, InputError past the deadline."""
        try:
            process = subprocess.Popen(
                ["git", *OPTIONS, f"--git-dir={self.folder}", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,  # so that its helpers can be ended with it
                pass_fds=self.held,
            )
        except OSError:
            fix = "install it, or set FATHOM_MIRROR to a folder with the repository's files"
            what = "git is not installed, which fetches repositories"
            raise InputError(Problem(self.url, what, fix)) from None
        with process:
            try:
                printed, errors = self._communicate(process, feed)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        if process.returncode:
            lines = [line for line in _lines(errors) if not PERCENT.search(line)]
            raise GitError("\n".join(lines[-20:]) or f"git ended with {process.returncode}")
        return printed

    def _communicate(self, process: subprocess.Popen[bytes], feed: bytes) -> tuple[bytes, bytes]:
        """What git prints to both streams; its progress is shown now and then."""
        while True:
            try:
                return process.communicate(feed, timeout=min(PROGRESS_EVERY, self.deadline.left()))
            except subprocess.TimeoutExpired as waiting:
                self.deadline.check()
                if shares := [
                    line for line in _lines(waiting.stderr or b"") if PERCENT.search(line)
                ]:
                    self.deadline.show(shares[-1])


def _lines(text: bytes) -> list[str]:
    return [line.strip() for line in text.decode("utf-8", "replace").splitlines()]


def _environment() -> dict[str, str]:
    """Ours without what would point git elsewhere, as inside a hook of another repository."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    wanted = ("GIT_SSL_", "GIT_CONFIG_", "GIT_PROXY_", "GIT_HTTP_", "GIT_EXEC_PATH")
    kept |= {key: value for key, value in os.environ.items() if key.startswith(wanted)}
    return {**kept, **QUIET}


@dataclass(frozen=True)
class Tree:
    """The files of a commit: name to object; `missing` are objects this repository lacks."""

    git: Repository
    commit: str
    files: Mapping[str, str]
    special: frozenset[str]  # links and submodules
    missing: frozenset[str]

    def write(self, names: Sequence[str], folder: Path) -> None:
        """Write these files as they are stored: no line ends changed, no filters."""
        for name in names:
            _refuse(name, self)
            content = self.git.run("cat-file", "blob", self.files[name])
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def address(url: str) -> PurePosixPath | None:
    """Host, owner and name of a repository; None for a local one.

    >>> str(address("https://github.com/CLEFeHealth/CHS-2021.git"))
    'github.com/CLEFeHealth/CHS-2021'
    """
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in {"http", "https", "git"} or not parts.hostname:
        return None
    return PurePosixPath(str(place(url)).removesuffix(".git"))


def tree(git: Repository, commit: str) -> Tree | None:
    """The commit's tree, or None if this repository does not have it."""
    try:
        # Says which objects are not there, where other commands would go and fetch them.
        walk = ("rev-list", "--objects", "--no-walk", "--missing=print", "--no-object-names")
        objects = git.run(*walk, commit).decode().split()
        listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "replace")
    except GitError:
        return None
    files: dict[str, str] = {}
    special: set[str] = set()
    for entry in filter(None, listed.split("\0")):
        about, _, name = entry.partition("\t")
        mode, _, thing = about.split()
        files[name] = thing
        if mode in (LINK, MODULE):
            special.add(name)
    missing = frozenset(one[1:] for one in objects if one.startswith("?"))
    return Tree(git, commit, files, frozenset(special), missing)


@contextmanager
def cached(url: str, *, cache: Path, deadline: Deadline) -> Iterator[Repository]:
    """The cache's repository of an address, ours alone as long as it is used."""
    named = address(url) or PurePosixPath("local", *PurePosixPath(url).parts[1:])
    folder = folder_in(cache, "git", str(named.parent)) / f"{named.name}.git"
    with folder.with_suffix(".lock").open("w") as lock:
        deadline.lock(lock.fileno())
        own = Repository(folder=folder, url=url, deadline=deadline, held=(lock.fileno(),))
        try:
            own.run("init", "--quiet", "--bare", str(folder))
        except GitError as error:
            what = f"git cannot use this folder of the cache ({error})"
            raise InputError(Problem(folder, what, "remove it")) from None
        # A fetch that was killed leaves its own lock and half a pack; nobody else is here.
        for left in (*folder.glob("*.lock"), *folder.glob("objects/pack/tmp_*")):
            left.unlink(missing_ok=True)
        yield own


def bring(git: Repository, commit: str) -> Tree:
    """The commit from the cache's repository, fetched first if it is not there."""
    found = tree(git, commit)
    if found is None:
        # One commit, no file contents: these follow once it is known which are wanted.
        _fetch(git, commit, "--depth=1", "--filter=blob:none", "origin", commit)
        found = tree(git, commit)
    if found is None:
        raise _no_commit(git, commit)
    return found


def bring_files(found: Tree, names: Sequence[str]) -> Tree:
    """The contents of these files, those that are not there fetched in one go."""
    wanted = sorted({found.files[name] for name in names} & found.missing)
    if not wanted:
        return found
    options = ("--no-write-fetch-head", "--filter=blob:none", "--stdin", "origin")
    _fetch(found.git, found.commit, *options, feed="\n".join(wanted).encode() + b"\n")
    again = tree(found.git, found.commit)
    assert again is not None
    return again


def _fetch(git: Repository, commit: str, *what: str, feed: bytes = b"") -> None:
    """Fetch, again with longer and longer pauses where the reason may pass."""
    remote = ("-c", f"remote.origin.url={git.url}", "-c", "remote.origin.promisor=true")
    noop = ("-c", "fetch.negotiationAlgorithm=noop") if feed else ()
    fetch = (*remote, *noop, "fetch", "--progress", "--no-tags", "--recurse-submodules=no")
    commands = [(*fetch, *what), (*fetch, "origin", "+refs/*:refs/fathom/*")]

    def attempt() -> None:
        try:
            git.run(*commands[0], feed=feed)
        except GitError as error:
            if len(commands) == 1 or not re.search(INCAPABLE, str(error)):
                raise Transient(_reason(git, str(error), commit)) from None
            del commands[0]  # an old or plain server: everything it has, then
            attempt()

    git.deadline.retry(attempt, fix=AGAIN)


def _reason(git: Repository, said: str, commit: str) -> str:
    """Why a fetch failed, if that may pass; what will not pass is raised."""
    if re.search(r"not our ref|couldn't find remote ref|no such remote ref", said):
        raise _no_commit(git, commit)
    gone = r"[Rr]epository.*not found|not found: |does not (exist|appear to be a git repository)"
    if re.search(rf"{gone}|could not read Username|Authentication failed|error: 40[134]", said):
        fix = "correct the address, or give name and password in ~/.netrc"
        what = "there is no such repository, or it is not public"
        raise InputError(Problem(git.url, what, fix))
    if host := re.search(r"[Cc]ould not resolve host:? ?([^\s;]*)", said):
        return f"the host {host[1]} is unknown"
    lines = [line for line in said.splitlines() if re.match(r"fatal|error", line)]
    first = (lines or said.splitlines())[0]
    return re.sub(r"^(fatal|error): ", "", first).replace(git.url, "").strip(" ':/")


def _no_commit(git: Repository, commit: str) -> InputError:
    fix = "correct the commit, as `git rev-parse HEAD` prints it"
    return InputError(Problem(git.url, f"there is no commit {commit}", fix))


def _refuse(name: str, found: Tree) -> None:
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or ".git" in parts:
        what = f"unsafe path '{name}' in the commit"
        raise InputError(Problem(found.git.url, what, "do not use it"))
    if name in found.special:
        what = f"'{name}' is a link or a submodule, not a file"
        raise InputError(Problem(found.git.url, what, "name the file itself"))
