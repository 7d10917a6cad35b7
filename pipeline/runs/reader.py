"""Reading what participants really send: run files in, ranked runs and facts about them out.

Ids stay strings. A file that cannot be read is an InputError with file and line; what a policy
lets through is counted in the summary. The work is done by the extension `_reader`, made from C
when the package is installed (pyarrow and polars misread double or leading spaces), or where there
is none by `plain`, about 30 times more slowly. Either takes a file piece by piece and declines one
it cannot take so: that one is read whole, line by line, and either refused with the line at fault
or put in order and handed over again.
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

from pipeline.errors import InputError, Problem, each
from pipeline.runs.format import FORMATS, RUN_LINE, Format
from pipeline.runs.plain import PlainReader, check_lines, fields_of_lines
from pipeline.storage.c_sources import compiled, warn_slow
from pipeline.storage.progress import with_progress
from pipeline.storage.text import PIECE, pieces, without_comments

# Scores are compared as trec_eval 9 holds them, in 32 bits, unless 64 are asked for.
ORDERS = {"score": "score32", "score32": "score32", "score64": "score64", "rank": "rank"}
LIMIT = 2**31 - 1  # rows and ids are numbered in 32 bits
SLOW = "the compiled run reader is not built, so runs are read about 30 times more slowly"
TAKEN = 64  # pieces after which what was ranked is taken out of the reader


@dataclass(frozen=True, kw_only=True)
class Policies:
    """How runs are read: the policies of a campaign, with their defaults."""

    order: str = "score"
    depth: int = 1000
    duplicates: str = "error"  # or "first"
    bad_scores: str = "error"  # or "last"
    form: str | Format = "trec"  # by name, or one of its own


def run_name(path: Path) -> str:
    """A run is called what its file is called, without .gz, as the campaigns publish it.

    >>> run_name(Path("runs/ECNU_EN_Run.6.dat.gz"))
    'ECNU_EN_Run.6.dat'
    """
    return path.name.removesuffix(".gz")


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What is known of one run file."""

    lines: int = 0  # with content
    comments: int = 0  # lines that begin with #
    bad_scores: int = 0  # scores that are not finite
    duplicates: int = 0  # lines that repeat the document of another
    tied: int = 0  # documents whose score equals a neighbour's in the ranking
    top10_differs: int = 0  # topics whose ten first differ between score and rank order
    wide: int = 0  # lines with ids that are not ASCII


@dataclass(frozen=True)
class Rows:
    """One run's ranking: topics in the order they first appear, documents in rank order."""

    document: NDArray[np.int32]  # -1: not one of those the reader knows
    rank: NDArray[np.int32]  # as the file says; empty unless asked for
    score: NDArray[np.float64]  # empty unless asked for
    group_topic: NDArray[np.int32]  # per topic of the run its number
    group_size: NDArray[np.int64]  # and how many rows it has

    @property
    def topic(self) -> NDArray[np.int32]:
        """The topic's number, row by row."""
        return np.repeat(self.group_topic, self.group_size)

    @property
    def groups(self) -> Iterator[tuple[int, slice]]:
        """Each topic's number and its rows."""
        end = 0
        for topic, size in zip(self.group_topic.tolist(), self.group_size.tolist(), strict=True):
            yield topic, slice(end, end := end + size)


@dataclass(frozen=True)
class Run:
    """One ranked run: its rows by topic, and what is known of its file."""

    name: str
    path: Path
    rows: Rows
    summary: Summary
    tag: str  # of the first line
    last_tag: str


def extension() -> ModuleType | None:
    """The compiled reader, None where it was not built."""
    return compiled("pipeline.runs._reader", "run reader", headers="native")


def joined(ids: Iterable[str]) -> tuple[NDArray[np.int64], bytes]:
    """Ids as the readers hold them: where each starts, and their text."""
    parts = [one.encode() for one in ids]
    return np.cumsum([0, *map(len, parts)], dtype=np.int64), b"".join(parts)


class RunReader:
    """Reads runs one after the other into rankings; equal ids share one number in all of them.

    Given the `documents` that matter (those judged), their places are the numbers and any other
    document is -1; a run's ties and its ranks' order are then not looked at.
    """

    def __init__(
        self,
        policies: Policies,
        *,
        ranks: bool = False,
        scores: bool = True,
        documents: tuple[NDArray[np.int64], bytes] | None = None,
    ) -> None:
        module: Any = extension()
        if module is None:
            warn_slow(SLOW)
        make = PlainReader if module is None else module.Reader
        known = None if documents is None else (documents[0].tobytes(), documents[1])
        # The key of the hash of ids is random; no result depends on it.
        self._reader = make(
            os.urandom(16), LIMIT, ORDERS[policies.order], policies.depth, ranks, scores, known
        )
        self._policies = policies

    def read(self, path: Path) -> Run:
        """Read, check and rank one run file."""
        form = self._policies.form
        form = FORMATS[form] if isinstance(form, str) else form
        # Piece by piece, if nothing has to be done to it; a pipe can be read only once.
        content = None if form.as_is and path.is_file() else form(path)
        return self._read_straight(path, content) or self.read_lines(path, content or form(path))

    def _read_straight(self, path: Path, content: bytes | None) -> Run | None:
        """A run by its content, or piece by piece; None if there is something to say about it."""
        try:
            run = self._ranked(path, [content] if content else _read_pieces(path))
        except InputError:  # a damaged file: said by the other way
            return None
        if run is None or not run.summary.lines or run.summary.wide:
            return None
        kinds = ("bad_scores", "duplicates")
        strict = [kind for kind in kinds if getattr(self._policies, kind) == "error"]
        return None if any(getattr(run.summary, kind) for kind in strict) else run

    def read_lines(self, path: Path, content: bytes) -> Run:
        """Check and rank the lines of a run, in TREC's form; `path` is their file.

        The first fault is raised. Lines that the reader cannot take as they come are sorted first.
        """
        content, comments = without_comments(path, content, what="run", line=RUN_LINE)
        policies = self._policies
        last_tag = check_lines(
            path, content, duplicates=policies.duplicates, bad_scores=policies.bad_scores
        )
        # In order: a topic that comes back, or lines too long to be taken piece by piece.
        run = self._ranked(path, [content]) or self._ranked(path, [_in_order(content)])
        if run is None:
            what = f"more than {LIMIT} lines, or ids in all runs, cannot be numbered"
            raise InputError(Problem(path, what, "split the run"))
        return replace(run, summary=replace(run.summary, comments=comments), last_tag=last_tag)

    def _ranked(self, path: Path, every: Iterable[bytes]) -> Run | None:
        reader = self._reader
        columns = bytearray(), bytearray(), bytearray()  # they grow in place

        def take() -> None:
            for column, taken in zip(columns, reader.take(), strict=True):
                column += taken

        reader.begin()
        for number, piece in enumerate(every, start=1):
            if not reader.add(piece):
                return None
            if number % TAKEN == 0:
                take()
        found = reader.end()
        if found is None:
            return None
        take()
        topic, size, first, last, facts = found
        kinds = np.int32, np.int32, np.float64, np.int32, np.int64
        rows = Rows(*map(np.frombuffer, (*columns, topic, size), kinds))
        tags = (word.decode("utf-8", "replace") for word in (first, last))
        return Run(run_name(path), path, rows, Summary(**facts), *tags)

    def topics(self) -> list[str]:
        """Topic ids by number."""
        starts, text = self._reader.topics()
        bounds = np.frombuffer(starts, np.int64).tolist()
        return [text[a:b].decode() for a, b in pairwise(bounds)]

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Document ids by number, as offsets and text (there may be millions)."""
        starts, text = self._reader.documents()
        return np.frombuffer(starts, np.int64), text


def _read_pieces(path: Path) -> Iterator[bytes]:
    number = -(-path.stat().st_size // PIECE)  # of a packed file there are more
    return with_progress(pieces(path), total=number, task=f"reading {path.name}")


def _in_order(content: bytes) -> bytes:
    """The lines of each topic together, in few bytes, and otherwise as they are."""
    topics: dict[bytes, list[bytes]] = {}
    for _, (topic, _, document, rank, score, tag) in fields_of_lines(content):
        line = b" ".join([topic, b"Q0", document, rank, repr(float(score)).encode(), tag[:100]])
        topics.setdefault(topic, []).append(line + b"\n")
    return b"".join(line for lines in topics.values() for line in lines)


def read_runs(files: Collection[tuple[str, Path]], reader: RunReader) -> list[Run]:
    """Read the files of named runs in their order; all that is wrong is raised at once."""
    waiting = with_progress(files, total=len(files), task="reading runs")
    return each(lambda file: replace(reader.read(file[1]), name=file[0]), waiting)


def same_names(files: Sequence[Path]) -> list[Problem]:
    """Runs of one name, whose rankings would be mixed."""
    first: dict[str, Path] = {}
    fix = "rename one of them or take it out of runs.files"
    return [
        Problem(path, f"has the run name '{run_name(path)}', as {other} has", fix)
        for path in files
        if (other := first.setdefault(run_name(path), path)) is not path
    ]
