"""Records of steps: the key under which a step ran, and digests of the files it wrote.

Snakemake reruns a job whose parameters changed. The key of a step (a digest of code, settings and
inputs) is such a parameter. The record keeps the key under which the files were written. A file
that was edited or damaged since differs from its record, whatever its modification time.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.storage.atomic import write_text


def key_of(*parts: Any) -> str:
    """A short digest of plain values; values with the same JSON have the same digest."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def stat_of(path: Path) -> list[Any]:
    """Size and modification time of a file; for a folder, a digest over all files in it."""
    if path.is_dir():
        return [key_of([[str(file.relative_to(path)), *stat_of(file)] for file in _inside(path)])]
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def digest_of(path: Path) -> str:
    """A digest of a file's content; for a folder, of the names and contents of its files."""
    if path.is_dir():
        return key_of([[str(item.relative_to(path)), digest_of(item)] for item in _inside(path)])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
    return digest.hexdigest()


def _inside(folder: Path) -> list[Path]:
    """The files below a folder, without the timestamp file that Snakemake adds after a job."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if path.name != ".snakemake_timestamp")


class Digests:
    """Cached digests of input files, valid while a file's size, times and inode are the same.

    The inode's change time cannot be set back, so a file that was replaced by an older one
    (`cp -p`, `rsync -a`, `unzip`) is read again.
    """

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.stored: dict[str, list[Any]] = {}
        self.used: dict[str, list[Any]] = {}
        with suppress(OSError, ValueError):  # missing or damaged: the files are read again
            self.stored = json.loads(cache.read_text(encoding="utf-8"))

    def of(self, path: str) -> str:
        stat = Path(path).stat()
        state = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]
        entry = self.used.get(path) or self.stored.get(path)
        if not entry or entry[1:] != state:
            entry = [digest_of(Path(path)), *state]
        self.used[path] = entry
        return str(entry[0])

    def changed(self) -> list[str]:
        """The files that were replaced or removed since their digest was taken."""
        before = [(path, digest) for path, (digest, *_) in self.used.items()]
        return [path for path, old in before if not Path(path).is_file() or self.of(path) != old]

    def keep(self) -> None:
        """Write the digests of the files used by this process, if any."""
        if self.used:
            _dump(self.cache, self.used)


@dataclass(frozen=True)
class Record:
    """The key of a finished step and the state of its files."""

    key: str
    asked: str  # the `key` parameter of the rule: the key, and after "+" why it must rerun anyway
    outputs: Mapping[str, list[Any]]  # path: digest, then the values of `stat_of`
    note: Any = None

    def altered(self) -> list[str]:
        """The files whose content changed since the step ended; missing files are not included."""
        return [
            path
            for path, (digest, *stat) in self.outputs.items()
            if Path(path).exists()
            if stat_of(Path(path)) != stat and digest_of(Path(path)) != digest
        ]


def read(path: Path) -> Record | None:
    """The record of a step; None if it is missing or damaged."""
    try:
        return Record(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, *, asked: str, outputs: Iterable[str], note: Any = None) -> None:
    """Write the record of a step, as its last action."""
    digests = {name: [digest_of(Path(name)), *stat_of(Path(name))] for name in sorted(outputs)}
    _dump(path, {"key": asked.split("+")[0], "asked": asked, "outputs": digests, "note": note})


def _dump(path: Path, content: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(content, indent=1, sort_keys=True))
