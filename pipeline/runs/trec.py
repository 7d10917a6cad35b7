"""Reading what participants really send: TREC runs.

Ids stay strings. What cannot be read is an InputError with file and line; what can be repaired is
counted in the summary and repaired only under a policy that says so.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.runs import reading
from pipeline.runs.reader import run_reader
from pipeline.storage.progress import told
from pipeline.storage.text import (
    LONGEST,
    PIECE,
    cut,
    pieces,
    read_bytes,
    refuse_bytes,
    without_comments,
)

RUN_LINE = "topic Q0 document rank score tag"

BASELINE = "baseline:"  # begins the names of runs made from the pages, and of no others

DUPLICATES = ("error", "first")
BAD_SCORES = ("error", "last")


def run_name(path: Path) -> str:
    """A run is called what its file is called, without .gz, as the campaigns publish it.

    >>> run_name(Path("runs/ECNU_EN_Run.6.dat.gz"))
    'ECNU_EN_Run.6.dat'
    """
    return path.name.removesuffix(".gz")


def names(starts: NDArray[np.int64], text: bytes, *, where: str) -> list[str]:
    """The ids behind the numbers."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        at = int(np.searchsorted(starts, error.start, side="right")) - 1
        raise InputError(
            f"{where}: the id {text[starts[at] : starts[at + 1]]!r} is not valid UTF-8; "
            "save the file as UTF-8"
        ) from None
    bounds = starts.tolist()
    return [text[a:b].decode() for a, b in pairwise(bounds)]


@dataclass(frozen=True)
class Run:
    """One ranked run: its rows by topic, and what was odd about the file."""

    name: str
    path: Path
    rows: reading.Rows
    summary: reading.Summary
    tag: str  # of the first line
    last_tag: str = ""
    comments: int = 0  # lines that begin with #


class RunReader:
    """Reads the runs of a batch into rankings; equal ids share one number across the batch."""

    def __init__(
        self, *, order: str, depth: int, duplicates: str, bad_scores: str, ranks: bool = True
    ) -> None:
        self.reader = run_reader()
        self._order, self._depth = order, depth
        self._duplicates, self._bad_scores = duplicates, bad_scores
        self._ranks = ranks  # whether the ranks in the files are kept

    def read(self, path: Path) -> Run:
        """Read, check and rank one run file: piece by piece, and whole if it is odd."""
        return self._streamed(path) or self.ranked(
            path, read_bytes(path, what="run", line=RUN_LINE)
        )

    def _streamed(self, path: Path) -> Run | None:
        """A run of which only the rankings are kept; None if something is to be told of it."""
        if not path.is_file():  # what comes through a pipe comes once
            return None
        number = -(-path.stat().st_size // PIECE)  # of a packed file there are more
        every = told(pieces(path), total=number, what=f"reading {path.name}")
        try:
            found = self.reader.stream(
                every, order=self._order, depth=self._depth, ranks=self._ranks
            )
        except InputError:  # told by the other way, with all that is wrong
            return None
        if (
            found is None
            or not found.summary.lines
            or (found.summary.bad_scores and self._bad_scores == "error")
            or (found.summary.duplicates and self._duplicates == "error")
        ):
            return None
        return Run(
            run_name(path), path, found.rows, found.summary, found.first_tag, found.last_tag,
            found.comments,
        )  # fmt: skip

    def ranked(self, path: Path, content: bytes) -> Run:
        """Check and rank the lines of one run, in TREC's form; `path` is their file.

        Lines that begin with # are comments: blank to either reader, and counted.
        """
        content, comments = without_comments(path, content, what="run", line=RUN_LINE)
        rows, summary = self.reader.read(content, order=self._order, depth=self._depth)
        self._refuse(path, content, summary)
        _refuse_other_encodings(path, content)
        tag = content[summary.tag_at : summary.tag_at + summary.tag_size]
        last = (content[-2 * LONGEST :].split() or [b""])[-1]
        first_tag, last_tag = (word.decode("utf-8", "replace") for word in (tag, last))
        return Run(run_name(path), path, rows, summary, first_tag, last_tag, comments)

    def topics(self) -> list[str]:
        """Topic ids by number."""
        return names(*self.reader.topics(), where="runs")

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Document ids by number, as offsets and text (there may be millions)."""
        return self.reader.documents()

    def _refuse(self, path: Path, content: bytes, summary: reading.Summary) -> None:
        line, error = summary.line, summary.error
        value = cut(content[summary.at : summary.at + summary.size].decode("utf-8", "replace"))
        if error == reading.BINARY:
            raise InputError(
                f"{path}, line {line}: a NUL byte, so this is not a text file; send the run itself"
            )
        if error == reading.FIELDS:
            raise InputError(
                f"{path}, line {line}: {summary.fields} fields where a run line has 6 "
                f"('{RUN_LINE}'); correct the line"
            )
        if error == reading.BAD_RANK:
            raise InputError(
                f"{path}, line {line}: the rank '{value}' is not a whole number of up to "
                "9 digits; correct it"
            )
        if error == reading.BAD_SCORE:
            raise InputError(
                f"{path}, line {line}: the score '{value}' is not a number; correct it"
            )
        if error == reading.TOO_MANY:
            raise InputError(
                f"{path}, line {line}: more than {reading.LIMIT} lines, or ids in all runs that "
                "are read together, cannot be numbered; split the run, or raise runs.batches"
            )
        if summary.bad_scores and self._bad_scores == "error":
            score = _line_fields(content, summary.bad_score_line)[4]
            raise InputError(
                f"{path}, line {summary.bad_score_line}: the score '{score}' is not finite "
                f"(such lines: {summary.bad_scores}); correct it, "
                "or set policies.bad_scores to 'last'"
            )
        if summary.duplicates and self._duplicates == "error":
            topic, _, document, *_ = _line_fields(content, summary.duplicate_line)
            raise InputError(
                f"{path}, line {summary.duplicate_line}: document '{document}' is there twice "
                f"in topic '{topic}' (such lines: {summary.duplicates}); remove it, "
                "or set policies.duplicates to 'first'"
            )


def _line_fields(content: bytes, line: int) -> list[str]:
    fields = content.split(b"\n")[line - 1].split()
    return [field.decode("utf-8", "replace") for field in fields]


def _refuse_other_encodings(path: Path, content: bytes) -> None:
    """Topic and document ids must be UTF-8; the run tag, which nobody reads, may be anything."""
    if content.isascii():
        return
    try:
        content.decode()
    except UnicodeDecodeError:
        for number, line in enumerate(content.split(b"\n"), start=1):
            refuse_bytes(path, number, line.split()[:3:2])
