"""One controller per campaign.

Snakemake's own lock outlives a killed process, so that the next command is refused. This one is the
operating system's (flock) and ends with its holder, however it ends. Jobs need none: they write
atomically, and their records say under which key.

On a cluster the folder is shared: its locks reach other machines if its file system, as it is
mounted, passes them on. Where it does not, a run on another machine that left its name behind is
asked about.
"""

import atexit
import fcntl
import os
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO

from pipeline.errors import InputError, Problem
from pipeline.storage.atomic import clear

FOLDER = Path(".snakemake/fathom")  # where the locks are, below the folder of the results
MOUNTS = Path("/proc/self/mountinfo")
# Of these a folder belongs to one machine, or to one that serves all, or locks are passed on.
_SAFE = re.compile(
    r"ext[234]|xfs|btrfs|zfs|tmpfs|ramfs|overlay|f2fs|jfs|reiserfs|ufs|apfs|hfs|bcachefs|vfat"
    r"|fuse\.fuse-overlayfs|gpfs|ceph|gfs2|ocfs2|panfs"
)
_UNSAFE = {"local_lock=all", "local_lock=flock", "nolock", "nobrl"}  # options of a mount


def hold(place: Path, *, campaign: str, results: Path) -> IO[str]:
    """Become the one controller of a campaign, and clear away what a killed one left half-written.

    The lock is held until the result is closed, or the process ends.
    """
    path = place / f"{campaign}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.open("a+", encoding="utf-8")
    lock.seek(0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = lock.readline().strip() or "another process"
        what = f"campaign '{campaign}' is being run by {holder}"
        raise InputError(Problem("", what, "wait until it has ended, or end it")) from None
    except OSError as error:
        what = f"this file system has no locks ({error.strerror})"
        fix = "run in a folder that has them, or mount it with them"
        raise InputError(Problem(path, what, fix)) from None
    _check_reach(lock, campaign=campaign)
    holder = f"process {os.getpid()} on {socket.gethostname()}\n"
    lock.truncate(0)
    lock.write(holder)
    lock.flush()
    atexit.register(_release, path, holder)
    clear(results)
    return lock


def _check_reach(lock: IO[str], *, campaign: str) -> None:
    """A free lock proves that its last holder has ended only where locks reach that holder."""
    last = lock.readline().strip()
    host = last.rpartition(" on ")[2]
    reason = why_not(Path(lock.name)) if last and host != socket.gethostname() else ""
    if reason:
        what = (
            f"campaign '{campaign}' was being run by {last}, and locks of this folder may not "
            f"reach other machines ({reason})"
        )
        raise InputError(Problem("", what, f"if it has ended, remove {lock.name} and run again"))


def why_not(folder: Path, *, mounts: Path = MOUNTS) -> str:
    """Why locks in a folder may not reach other machines; empty if they do."""
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""  # no Linux: no cluster of ours
    kind, options = _mount(folder.resolve(), lines)
    if not kind or _SAFE.fullmatch(kind):
        return ""
    if kind == "lustre":
        return "" if "flock" in options else "lustre mounted without flock"
    if kind in ("nfs", "nfs4", "cifs", "smb3"):
        return f"{kind} mounted with {min(bad)}" if (bad := _UNSAFE & options) else ""
    return f"whether a file system of the kind {kind} passes locks on is not known"


def _mount(folder: Path, lines: list[str]) -> tuple[str, set[str]]:
    """Kind and options of what is mounted where a folder is; of two at one place the last."""
    best, kind, options = -1, "", set[str]()
    for line in lines:
        mount, _, system = line.partition(" - ")
        fields, given = mount.split(), system.split()
        if len(fields) < 6 or len(given) < 3:
            continue
        # Blanks and their like are written as octal numbers.
        point = Path(re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), fields[4]))
        depth = len(point.parts)
        if folder.is_relative_to(point) and depth >= best:
            best, kind = depth, given[0]
            options = {*fields[5].split(","), *given[2].split(",")}
    return kind, options


def _release(path: Path, holder: str) -> None:
    """Leave no name behind after a regular end; a fork of the holder leaves it alone."""
    with suppress(OSError):
        if f"process {os.getpid()} " in holder and path.read_text(encoding="utf-8") == holder:
            path.write_text("", encoding="utf-8")
