"""Read run files, as participants submit them, into ranked runs and facts about them.

Ids remain strings. A file that cannot be read raises an InputError with file and line; faults that
a policy permits are counted in the summary. The extension `_reader` does the work. It is compiled
from C when the package is installed (pyarrow and polars misread double or leading spaces). Without
it `plain` does the same, about 30 times more slowly. Both read a file in pieces, and decline a file
that cannot be read so. Such a file is read whole, line by line, and either refused with the line of
the fault, or sorted and read again.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.config.policies import DEFAULTS
from pipeline.errors import InputError, Problem, each
from pipeline.runs.format import FORMATS, RUN_LINE, Format
from pipeline.runs.plain import PlainReader, check_lines, fields_of_lines
from pipeline.storage.c_sources import compiled, warn_slow
from pipeline.storage.progress import with_progress
from pipeline.storage.text import PIECE, pieces, without_comments

# By default scores are compared as 32-bit floats, as in trec_eval 9.
ORDERS = {"score": "score32", "score32": "score32", "score64": "score64", "rank": "rank"}
LIMIT = 2**31 - 1  # rows and ids are numbered in 32 bits
SLOW = "the compiled run reader is not built, so runs are read about 30 times more slowly"
BATCH = 64  # pieces after which the ranked documents are moved out of the reader


@dataclass(frozen=True, kw_only=True)
class RunPolicies:
    """How runs are read and ranked: the policies of a campaign, with their defaults."""

    order: str = DEFAULTS.order
    depth: int = DEFAULTS.depth
    duplicates: str = DEFAULTS.duplicates
    bad_scores: str = DEFAULTS.bad_scores
    form: str | Format = "trec"  # a format or its name
    setting: str = "set policies.{key} to '{value}'"  # how the caller does so; '' if it cannot

    @property
    def strict(self) -> dict[str, str]:
        """The kinds of faults that are errors, and how the caller fixes each."""
        fixes = {}
        repairs = (("bad_scores", "last", "correct it"), ("duplicates", "first", "remove it"))
        for key, value, fix in repairs:
            if getattr(self, key) == "error":
                setting = self.setting.format(key=key, option=key.replace("_", "-"), value=value)
                fixes[key] = f"{fix}, or {setting}" if setting else fix
        return fixes


def run_name(path: Path) -> str:
    """The name of a run: that of its file without .gz, as campaigns publish it.

    >>> run_name(Path("runs/ECNU_EN_Run.6.dat.gz"))
    'ECNU_EN_Run.6.dat'
    """
    return path.name.removesuffix(".gz")


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Facts about one run file."""

    lines: int = 0  # not blank
    comments: int = 0  # lines that begin with #
    bad_scores: int = 0  # scores that are not finite
    duplicates: int = 0  # lines with the document of an earlier line
    tied: int = 0  # documents whose score equals a neighbour's in the ranking
    top10_differs: int = 0  # topics whose first ten differ between score and rank order
    wide: int = 0  # lines with ids that are not ASCII


@dataclass(frozen=True)
class Rows:
    """One run's ranking: topics in the order they first appear, documents in rank order."""

    document: NDArray[np.int32]  # -1: not among the documents of the reader
    rank: NDArray[np.int32]  # the rank column of the file; may be left empty
    score: NDArray[np.float64]  # may be left empty
    group_topic: NDArray[np.int32]  # number of each topic of the run
    group_size: NDArray[np.int64]  # rows of each topic of the run

    @property
    def topic(self) -> NDArray[np.int32]:
        """The number of the topic of each row."""
        return np.repeat(self.group_topic, self.group_size)

    @property
    def groups(self) -> Iterator[tuple[int, slice]]:
        """The number and the rows of each topic."""
        end = 0
        for topic, size in zip(self.group_topic.tolist(), self.group_size.tolist(), strict=True):
            yield topic, slice(end, end := end + size)


@dataclass(frozen=True)
class Run:
    """One ranked run: its rows by topic, and facts about its file."""

    name: str
    path: Path
    rows: Rows
    summary: Summary
    tag: str  # of the first line
    last_tag: str


def extension() -> ModuleType | None:
    """The compiled reader; None if it was not built."""
    return compiled("pipeline.runs._reader", "run reader", headers="native")


def joined(ids: Iterable[str]) -> tuple[NDArray[np.int64], bytes]:
    """Ids as the readers hold them: the start of each, and the text of all."""
    parts = [name.encode() for name in ids]
    return np.cumsum([0, *map(len, parts)], dtype=np.int64), b"".join(parts)


class RunReader:
    """Reads runs into rankings; equal ids have the same number in all of them.

    With `documents` (for example the judged ones), their positions are the numbers and any other
    document is -1; ties and the order of ranks are then not counted.
    """

    def __init__(
        self,
        policies: RunPolicies,
        *,
        ranks: bool = False,
        scores: bool = True,
        documents: tuple[NDArray[np.int64], bytes] | None = None,
    ) -> None:
        module: Any = extension()
        if module is None:
            warn_slow(SLOW)
        Reader = PlainReader if module is None else module.Reader
        ids = None if documents is None else (documents[0].tobytes(), documents[1])
        # The key of the hash of ids is random; no result depends on it.
        self._reader = Reader(
            os.urandom(16), LIMIT, ORDERS[policies.order], policies.depth, ranks, scores, ids
        )
        self._policies = policies

    def read(self, path: Path) -> Run:
        """Read, check and rank one run file."""
        form = self._policies.form
        form = FORMATS[form] if isinstance(form, str) else form
        # In pieces, if the file is in TREC's form; a pipe can be read only once.
        content = None if form.as_is and path.is_file() else form(path)
        return self._read_pieces(path, content) or self.read_lines(path, content or form(path))

    def _read_pieces(self, path: Path, content: bytes | None) -> Run | None:
        """Read a run from its content or in pieces; None if it must be read line by line."""
        try:
            run = self._rank(path, [content] if content else _pieces(path))
        except InputError:  # a damaged file, which `read_lines` reports
            return None
        if run is None or not run.summary.lines or run.summary.wide:
            return None
        return None if any(getattr(run.summary, kind) for kind in self._policies.strict) else run

    def read_lines(self, path: Path, content: bytes) -> Run:
        """Check and rank the lines of a run in TREC's form; `path` is their file.

        The first fault is raised. Lines whose order the reader cannot process are sorted first.
        """
        content, comments = without_comments(path, content, what="run", line=RUN_LINE)
        last_tag = check_lines(path, content, strict=self._policies.strict)
        # Sorted: a topic that is not in one block, or lines too long to be read in pieces.
        run = self._rank(path, [content]) or self._rank(path, [_sort_by_topic(content)])
        if run is None:
            what = f"more than {LIMIT} lines in the run, or ids in all runs"
            raise InputError(Problem(path, what, "split the run"))
        return replace(run, summary=replace(run.summary, comments=comments), last_tag=last_tag)

    def _rank(self, path: Path, content: Iterable[bytes]) -> Run | None:
        reader = self._reader
        columns = bytearray(), bytearray(), bytearray()  # which grow in place

        def take() -> None:
            for column, part in zip(columns, reader.take(), strict=True):
                column += part

        reader.begin()
        for number, piece in enumerate(content, start=1):
            if not reader.add(piece):
                return None
            if number % BATCH == 0:
                take()
        if (parts := reader.end()) is None:
            return None
        take()
        topic, size, first, last, facts = parts
        kinds = np.int32, np.int32, np.float64, np.int32, np.int64
        rows = Rows(*map(np.frombuffer, (*columns, topic, size), kinds))
        tags = (word.decode("utf-8", "replace") for word in (first, last))
        return Run(run_name(path), path, rows, Summary(**facts), *tags)

    def topics(self) -> list[str]:
        """Topic ids by number."""
        starts, text = self._reader.topics()
        return [text[a:b].decode() for a, b in pairwise(np.frombuffer(starts, np.int64).tolist())]

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Document ids by number, as offsets and text (there may be millions)."""
        starts, text = self._reader.documents()
        return np.frombuffer(starts, np.int64), text


def _pieces(path: Path) -> Iterator[bytes]:
    number = -(-path.stat().st_size // PIECE)  # a compressed file has more
    return with_progress(pieces(path), total=number, task=f"reading {path.name}")


def _sort_by_topic(content: bytes) -> bytes:
    """The lines of each topic in one block, shortened, otherwise in their order."""
    topics: dict[bytes, list[bytes]] = {}
    for _, (topic, _, document, rank, score, tag) in fields_of_lines(content):
        line = b" ".join([topic, b"Q0", document, rank, repr(float(score)).encode(), tag[:100]])
        topics.setdefault(topic, []).append(line + b"\n")
    return b"".join(line for lines in topics.values() for line in lines)


def read_runs(files: Collection[tuple[str, Path]], reader: RunReader) -> list[Run]:
    """Read the files of named runs in their order; all problems are raised together."""
    waiting = with_progress(files, total=len(files), task="reading runs")
    return each(lambda file: replace(reader.read(file[1]), name=file[0]), waiting)


def same_names(files: Sequence[Path]) -> list[Problem]:
    """Problems of runs that have the same name."""
    first: dict[str, Path] = {}
    fix = "rename or remove one of them"
    return [
        Problem(path, f"has the same run name '{run_name(path)}' as {other}", fix)
        for path in files
        if (other := first.setdefault(run_name(path), path)) is not path
    ]
