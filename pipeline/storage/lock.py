"""One controller per campaign.

Snakemake's own lock outlives a killed process, and then the next command is refused. This lock is
the operating system's (flock): it ends with the process that holds it. Jobs need no lock, because
they write atomically and record their key.

On a cluster several machines share the folder. Whether a lock is visible to them depends on the
file system and its mount options. If it may not be, and the lock file names a process on another
machine, the run is refused until the user removes that file.
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

FOLDER = Path(".snakemake/fathom")  # of the locks, relative to the working directory
MOUNTS = Path("/proc/self/mountinfo")
# File systems of a single machine, and shared ones that pass locks on to all machines.
_SAFE = re.compile(
    r"ext[234]|xfs|btrfs|zfs|tmpfs|ramfs|overlay|f2fs|jfs|reiserfs|ufs|apfs|hfs|bcachefs|vfat"
    r"|fuse\.fuse-overlayfs|gpfs|ceph|gfs2|ocfs2|panfs"
)
_UNSAFE = {"local_lock=all", "local_lock=flock", "nolock", "nobrl"}  # mount options


def hold(place: Path, *, campaign: str, results: Path) -> IO[str]:
    """Lock a campaign until the returned file closes; remove the drafts of a killed run."""
    path = place / f"{campaign}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.open("a+", encoding="utf-8")
    lock.seek(0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = lock.readline().strip() or "another process"
        what = f"campaign '{campaign}' is already running ({holder})"
        raise InputError(Problem("", what, "wait until it has finished, or stop it")) from None
    except OSError as error:
        what = f"this file system does not support locks ({error.strerror})"
        fix = "run in another folder, or mount the file system with support for flock"
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
    """Refuse a free lock whose last holder ran where this machine's locks may not be visible."""
    last = lock.readline().strip()
    host = last.rpartition(" on ")[2]
    reason = why_not(Path(lock.name)) if last and host != socket.gethostname() else ""
    if reason:
        what = (
            f"campaign '{campaign}' may still be running ({last}): locks of this folder may not "
            f"be visible on other machines ({reason})"
        )
        raise InputError(Problem("", what, f"if it has ended, remove {lock.name} and rerun"))


def why_not(folder: Path, *, mounts: Path = MOUNTS) -> str:
    """Why locks in a folder may not be visible on other machines; empty if they are."""
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""  # not Linux, so not a cluster
    kind, options = _mount(folder.resolve(), lines)
    if not kind or _SAFE.fullmatch(kind):
        return ""
    if kind == "lustre":
        return "" if "flock" in options else "lustre mounted without flock"
    if kind in ("nfs", "nfs4", "cifs", "smb3"):
        return f"{kind} mounted with {min(bad)}" if (bad := _UNSAFE & options) else ""
    return f"unknown file system {kind}"


def _mount(folder: Path, lines: list[str]) -> tuple[str, set[str]]:
    """Type and options of the mount that holds a folder; the last of several at one place."""
    best, kind, options = -1, "", set[str]()
    for line in lines:
        mount, _, system = line.partition(" - ")
        fields, details = mount.split(), system.split()
        if len(fields) < 6 or len(details) < 3:
            continue
        # Spaces and similar characters are octal escapes there.
        point = Path(re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), fields[4]))
        depth = len(point.parts)
        if folder.is_relative_to(point) and depth >= best:
            best, kind = depth, details[0]
            options = {*fields[5].split(","), *details[2].split(",")}
    return kind, options


def _release(path: Path, holder: str) -> None:
    """Empty the lock file after a regular end; a fork of the holder leaves it alone."""
    with suppress(OSError):
        if f"process {os.getpid()} " in holder and path.read_text(encoding="utf-8") == holder:
            path.write_text("", encoding="utf-8")
