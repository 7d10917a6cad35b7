"""Whether a lock taken in a folder is seen by every machine that sees the folder.

Locks of the operating system (flock) reach other machines only if the file system passes them on,
which is a matter of how it is mounted.
"""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
# Of these a folder belongs to one machine, or to one that serves all.
_OWN = re.compile(
    r"ext[234]|xfs|btrfs|zfs|tmpfs|ramfs|overlay|f2fs|jfs|reiserfs|ufs|apfs|hfs|bcachefs|vfat"
    r"|fuse\.fuse-overlayfs"
)
_PASSED_ON = ("gpfs", "ceph", "gfs2", "ocfs2", "panfs")  # always


def why_not(folder: Path, *, mounts: Path = MOUNTS) -> str:
    """Why locks in a folder may not reach other machines; empty if they do."""
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""  # no Linux: no cluster of ours
    kind, options = _mount(folder.resolve(), lines)
    if not kind or _OWN.fullmatch(kind) or kind in _PASSED_ON:
        return ""
    if kind in ("nfs", "nfs4"):
        bad = {"local_lock=all", "local_lock=flock", "nolock"} & options
        return f"{kind} mounted with {sorted(bad)[0]}" if bad else ""
    if kind == "lustre":
        return "" if "flock" in options else "lustre mounted without flock"
    if kind in ("cifs", "smb3"):
        return f"{kind} mounted with nobrl" if "nobrl" in options else ""
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
