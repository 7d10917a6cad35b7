"""Records of steps: under which key a step ran, and what its files looked like when it ended.

Snakemake reruns a job whose parameters changed. The key of a step (code, settings, inputs) is such
a parameter, and its record says under which key the files at hand were written. A file that was
edited or damaged since differs from its record, whatever its time says.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.storage.atomic import atomic


def key_of(*parts: Any) -> str:
    """One short digest of plain values; two that print alike in JSON are one."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def stat_of(path: Path) -> list[Any]:
    """What changes when a file is written, without reading it; of a folder, of all in it."""
    if path.is_dir():
        return [key_of([[str(one.relative_to(path)), *stat_of(one)] for one in _inside(path)])]
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def digest_of(path: Path) -> str:
    """A digest of a file's content; of a folder, of the names and contents in it."""
    if path.is_dir():
        return key_of([[str(one.relative_to(path)), digest_of(one)] for one in _inside(path)])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
    return digest.hexdigest()


def _inside(folder: Path) -> list[Path]:
    """The files below a folder, without the one that Snakemake puts there when a job has ended."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if path.name != ".snakemake_timestamp")


class Digests:
    """Digests of input files, kept as long as size, times and inode of a file are the same.

    The time of the last change of the inode cannot be set back, so a file that was replaced by an
    older one (`cp -p`, `rsync -a`, `unzip`) is read again.
    """

    def __init__(self, kept: Path) -> None:
        self.kept = kept
        self.known: dict[str, list[Any]] = {}
        self.used: dict[str, list[Any]] = {}
        with suppress(OSError, ValueError):  # none yet, or damaged: the files are read again
            self.known = json.loads(kept.read_text(encoding="utf-8"))

    def of(self, path: str) -> str:
        """The digest of a file."""
        found = Path(path).stat()
        state = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        kept = self.used.get(path) or self.known.get(path)
        if not kept or kept[1:] != state:
            kept = [digest_of(Path(path)), *state]
        self.used[path] = kept
        return str(kept[0])

    def changed(self) -> list[str]:
        """The files that were replaced or removed since their digest was taken."""
        before = [(path, digest) for path, (digest, *_) in self.used.items()]
        return [path for path, old in before if not Path(path).is_file() or self.of(path) != old]

    def keep(self) -> None:
        """Write the digests of the files that were asked for, if there are any."""
        if self.used:
            _dump(self.kept, self.used)


@dataclass(frozen=True)
class Record:
    """What a step left."""

    key: str
    asked: str  # the parameter that Snakemake compares: the key, and why a good one was not enough
    outputs: Mapping[str, list[Any]]  # path: digest, and what `stat_of` said
    note: Any = None

    def altered(self) -> list[str]:
        """The files that are no longer as the step left them; a missing one is not among them."""
        return [
            path
            for path, (digest, *stat) in self.outputs.items()
            if Path(path).exists()
            if stat_of(Path(path)) != stat and digest_of(Path(path)) != digest
        ]


def read(path: Path) -> Record | None:
    """The record of a step; None where there is none, or a damaged one."""
    try:
        return Record(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, *, asked: str, outputs: Iterable[str], note: Any = None) -> None:
    """Record what a step wrote, at its very end."""
    listed = {one: [digest_of(Path(one)), *stat_of(Path(one))] for one in sorted(outputs)}
    content = {"key": asked.split("+")[0], "asked": asked, "outputs": listed, "note": note}
    _dump(path, content)


def _dump(path: Path, content: Mapping[str, Any]) -> None:
    with atomic(path) as draft:
        draft.write_text(json.dumps(content, indent=1, sort_keys=True), encoding="utf-8")
