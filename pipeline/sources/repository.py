"""The files of a commit: its tree, and how git fetches the required files from a server.

The cache has one bare repository per address, shared by all campaigns. A commit is fetched without
its history and, if the server supports it, without unneeded files.
"""

import os
import re
import signal
import subprocess
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError, Problem
from pipeline.sources.addresses import place
from pipeline.sources.places import PROGRESS_EVERY, Deadline, Transient, folder_in

PERCENT = re.compile(r"\d+% \(\d+/\d+\)")  # of git's progress
LINK, MODULE = "120000", "160000"  # modes of tree entries that are not files
AGAIN = "check the network, or set FATHOM_MIRROR to a folder with the repository, then rerun"
INCAPABLE = r"does not support (shallow|--filter)|dumb http|unadvertised object"

# In a job git must never prompt, use another repository, or print localised messages.
QUIET: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https",
    "LC_ALL": "C",
}
# No maintenance during a job; a connection below 1 kB/s for 30 s is dead.
OPTIONS = (
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "credential.helper="),
    *("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "core.hooksPath="),
    *("-c", "advice.detachedHead=false", "-c", "http.userAgent=git/fathom"),
)


class GitError(Exception):
    """Git failed; the text is the end of its output."""


@dataclass(frozen=True, kw_only=True)
class Repository:
    """Runs git on a repository, until the deadline."""

    folder: Path  # the repository itself, not its working tree
    url: str  # its address, for messages
    deadline: Deadline
    locks: tuple[int, ...] = ()  # file descriptors that git keeps locked if this process is killed

    def run(self, *arguments: str, feed: bytes = b"") -> bytes:
        """The output of git; raises GitError if it fails, InputError after the deadline."""
        try:
            process = subprocess.Popen(
                ["git", *OPTIONS, f"--git-dir={self.folder}", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,  # so that its child processes can be killed with it
                pass_fds=self.locks,
            )
        except OSError:
            fix = "install it, or set FATHOM_MIRROR to a folder with the repository's files"
            raise InputError(Problem(self.url, "git is not installed", fix)) from None
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
        """The output of git on both streams; prints its progress."""
        while True:
            try:
                return process.communicate(feed, timeout=min(PROGRESS_EVERY, self.deadline.left()))
            except subprocess.TimeoutExpired as waiting:
                self.deadline.check()
                if progress := [x for x in _lines(waiting.stderr or b"") if PERCENT.search(x)]:
                    self.deadline.show(progress[-1])


def _lines(text: bytes) -> list[str]:
    return [line.strip() for line in text.decode("utf-8", "replace").splitlines()]


def _environment() -> dict[str, str]:
    """This process's environment, without GIT_ variables that select another repository."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    allowed = ("GIT_SSL_", "GIT_CONFIG_", "GIT_PROXY_", "GIT_HTTP_", "GIT_EXEC_PATH")
    environment |= {key: value for key, value in os.environ.items() if key.startswith(allowed)}
    return {**environment, **QUIET}


@dataclass(frozen=True)
class Tree:
    """The files of a commit: objects by name; `missing` are objects this repository lacks."""

    git: Repository
    commit: str
    files: Mapping[str, str]
    special: frozenset[str]  # links and submodules
    missing: frozenset[str]

    def available(self, names: Iterable[str]) -> list[str]:
        """Those of the files whose contents this repository has."""
        return [name for name in names if self.files[name] not in self.missing]

    def write(self, names: Sequence[str], folder: Path) -> None:
        """Write files byte for byte as stored, without line-end conversion or filters."""
        for name in names:
            _refuse(name, self)
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.git.run("cat-file", "blob", self.files[name]))


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
    """The tree of a commit; None if the repository does not have it."""
    try:
        # Lists missing objects, which other commands would fetch.
        walk = ("rev-list", "--objects", "--no-walk", "--missing=print", "--no-object-names")
        objects = git.run(*walk, commit).decode().split()
        entries = git.run("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "replace")
    except GitError:
        return None
    parts = (entry.partition("\t") for entry in filter(None, entries.split("\0")))
    details = {name: detail.split() for detail, _, name in parts}  # mode, type and digest
    files = {name: digest for name, (_, _, digest) in details.items()}
    special = frozenset(name for name, (mode, *_) in details.items() if mode in (LINK, MODULE))
    missing = frozenset(line[1:] for line in objects if line.startswith("?"))
    return Tree(git, commit, files, special, missing)


@contextmanager
def open_cache(url: str, *, cache: Path, deadline: Deadline) -> Iterator[Repository]:
    """The repository of an address in the cache, locked while it is in use."""
    name = address(url) or PurePosixPath("local", *PurePosixPath(url).parts[1:])
    folder = folder_in(cache, "git", str(name.parent)) / f"{name.name}.git"
    with folder.with_suffix(".lock").open("w") as lock:
        deadline.lock(lock.fileno())
        repository = Repository(folder=folder, url=url, deadline=deadline, locks=(lock.fileno(),))
        try:
            repository.run("init", "--quiet", "--bare", str(folder))
        except GitError as error:
            what = f"git cannot use this folder of the cache ({error})"
            raise InputError(Problem(folder, what, "remove it")) from None
        # Leftovers of a killed fetch: a lock of git and an incomplete pack.
        for leftover in (*folder.glob("*.lock"), *folder.glob("objects/pack/tmp_*")):
            leftover.unlink(missing_ok=True)
        yield repository


def fetch_commit(git: Repository, commit: str) -> Tree:
    """The tree of a commit, fetched first if the cache does not have it."""
    snapshot = tree(git, commit)
    if snapshot is None:
        # The commit without file contents; `fetch_files` fetches those of the required files.
        _fetch(git, commit, "--depth=1", "--filter=blob:none", "origin", commit)
        snapshot = tree(git, commit)
    if snapshot is None:
        raise _no_commit(git, commit)
    return snapshot


def fetch_files(snapshot: Tree, names: Sequence[str]) -> Tree:
    """The tree with the contents of these files; missing ones are fetched together."""
    missing = sorted({snapshot.files[name] for name in names} & snapshot.missing)
    if not missing:
        return snapshot
    options = ("--no-write-fetch-head", "--filter=blob:none", "--stdin", "origin")
    _fetch(snapshot.git, snapshot.commit, *options, feed="\n".join(missing).encode() + b"\n")
    complete = tree(snapshot.git, snapshot.commit)
    assert complete is not None
    return complete


def _fetch(git: Repository, commit: str, *arguments: str, feed: bytes = b"") -> None:
    remote = ("-c", f"remote.origin.url={git.url}", "-c", "remote.origin.promisor=true")
    noop = ("-c", "fetch.negotiationAlgorithm=noop") if feed else ()
    fetch = (*remote, *noop, "fetch", "--progress", "--no-tags", "--recurse-submodules=no")
    commands = [(*fetch, *arguments), (*fetch, "origin", "+refs/*:refs/fathom/*")]

    def attempt() -> None:
        try:
            git.run(*commands[0], feed=feed)
        except GitError as error:
            if len(commands) == 1 or not re.search(INCAPABLE, str(error)):
                raise Transient(_reason(git, str(error), commit)) from None
            del commands[0]  # the server cannot fetch a single commit: fetch all
            attempt()

    git.deadline.retry(attempt, fix=AGAIN)


def _reason(git: Repository, output: str, commit: str) -> str:
    """Why a fetch failed, if the failure may be temporary; otherwise raise the problem."""
    if re.search(r"not our ref|couldn't find remote ref|no such remote ref", output):
        raise _no_commit(git, commit)
    absent = r"[Rr]epository.*not found|not found: |does not (exist|appear to be a git repository)"
    if re.search(rf"{absent}|could not read Username|Authentication failed|error: 40[134]", output):
        fix = "correct the address, or put name and password into ~/.netrc"
        raise InputError(Problem(git.url, "there is no such repository, or it is not public", fix))
    if match := re.search(r"[Cc]ould not resolve host:? ?([^\s;]*)", output):
        return f"the host {match[1]} is unknown"
    lines = [line for line in output.splitlines() if re.match(r"fatal|error", line)]
    first = (lines or output.splitlines())[0]
    return re.sub(r"^(fatal|error): ", "", first).replace(git.url, "").strip(" ':/")


def _no_commit(git: Repository, commit: str) -> InputError:
    fix = "correct the commit, as `git rev-parse HEAD` prints it"
    return InputError(Problem(git.url, f"there is no commit {commit}", fix))


def _refuse(name: str, snapshot: Tree) -> None:
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or ".git" in parts:
        what = f"unsafe path '{name}' in the commit"
        raise InputError(Problem(snapshot.git.url, what, "use another commit or source"))
    if name in snapshot.special:
        what = f"'{name}' is a link or a submodule, not a file"
        raise InputError(Problem(snapshot.git.url, what, "name the file itself"))
