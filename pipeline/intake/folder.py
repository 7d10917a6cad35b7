"""The runs, labels, topics and pages in a folder, recognised by their first lines.

File names do not matter, except that pages are recognised by their suffix.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.labels.topics import read as read_topics
from pipeline.pages.collection import is_container
from pipeline.storage.text import number

HEAD = 1 << 16  # bytes that are enough to recognise a file
LINES = 20
PAGE = re.compile(r"\.x?html?(\.gz)?$", re.IGNORECASE)
TAGGED = re.compile(r"<(top|topic|query)[\s>]", re.IGNORECASE)
TOPICS = re.compile(r"topic|quer", re.IGNORECASE)
# Folders of Fathom and of other tools, which hold no submissions.
IGNORED = {"results", "__pycache__", "node_modules", "build"}


@dataclass
class Folder:
    """Files by kind; `others` are of no known kind."""

    runs: list[Path] = field(default_factory=list)
    labels: list[Path] = field(default_factory=list)
    topics: list[Path] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)


def look(folder: Path) -> Folder:
    """All files below a folder, except hidden files and results."""
    if not folder.is_dir():
        raise InputError(Problem(folder, "no such folder", "name the folder with your files"))
    contents = Folder()
    for path in _files(folder):
        getattr(contents, kind(path)).append(path)
    return contents


def kind(path: Path) -> str:
    """The kind of a file: `runs`, `labels`, `topics`, `pages` or `others`."""
    if PAGE.search(path.name):
        return "pages"
    text = _head(path)
    lines = [line for line in (text or "").split("\n") if line.strip() and line[0] != "#"][:LINES]
    rows = [line.split() for line in lines]
    if rows and all(len(row) == 6 and row[3].lstrip("-").isdecimal() for row in rows):
        return "runs"  # also with bad scores: the input check reports them
    if rows and all(len(row) == 4 and number(row[3]) == number(row[3]) for row in rows):
        return "labels"
    tagged = text is not None and text.lstrip().startswith("<") and TAGGED.search(text)
    if tagged or (TOPICS.search(path.name) and lines and all("\t" in line for line in lines)):
        with suppress(InputError):
            read_topics(path)
            return "topics"
    return "pages" if is_container(path) else "others"


def patterns(files: Sequence[Path]) -> list[str]:
    """Patterns for exactly these files: `runs/*` for a whole folder, else by suffix or by name."""
    chosen: list[str] = []
    for folder in sorted({path.parent for path in files}):
        selected = sorted(path for path in files if path.parent == folder)
        present = {p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")}
        endings = sorted({path.suffix for path in selected} - {""})
        globs = ["*"] if present == set(selected) else [f"*{ending}" for ending in endings]
        covered = {p for glob in globs for p in folder.glob(glob) if p in present}
        names = globs if covered == set(selected) else [path.name for path in selected]
        # A name may contain special characters of patterns; readers try it as a path first.
        chosen += [str(folder / name) for name in names]
    return chosen


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        hidden = path.name.startswith(".")
        if path.is_file() and not hidden:
            yield path
        elif path.is_dir() and not hidden and path.name not in IGNORED:
            yield from _files(path)


def _head(path: Path) -> str | None:
    """The complete lines at the start of a text file; None for a binary file."""
    with path.open("rb") as file:
        content = file.read(HEAD)
    if content[:2] == b"\x1f\x8b":
        try:
            content = zlib.decompressobj(31).decompress(content, HEAD)
        except zlib.error:
            return None
    if b"\0" in content:
        return None
    if len(content) >= HEAD // 2:
        content = content[: content.rfind(b"\n") + 1]
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return None
