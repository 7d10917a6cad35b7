"""What a reader of TREC runs gives, whether the compiled one or the plain one reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# Scores are compared as trec_eval 9 holds them, in 32 bits, unless 64 are asked for.
ORDERS = {"score": "score32", "score32": "score32", "score64": "score64", "rank": "rank"}

# Rows and ids are numbered in 32 bits.
LIMIT = 2**31 - 1

# What can make a run unreadable: `Summary.error`.
BINARY, FIELDS, BAD_RANK, BAD_SCORE, TOO_MANY = "binary", "fields", "rank", "score", "too many"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What the reader found in one run; after an error only the error and its place."""

    error: str  # '' for a run that can be read
    line: int  # the line of the file the error is in; without an error the last line
    at: int = 0  # where the offending value stands in the content
    size: int = 0
    fields: int = 0  # with FIELDS: how many there were
    lines: int = 0  # lines with content
    rows: int = 0  # lines that stay in the ranking
    topics: int = 0
    duplicates: int = 0
    duplicate_line: int = 0  # the first line that repeats an earlier one
    bad_scores: int = 0  # scores that are not finite
    bad_score_line: int = 0
    tied: int = 0  # rows whose score equals a neighbour's in the ranking
    top10_differs: int = 0  # topics whose ten first differ between score and rank order
    tag_at: int = 0  # where the run tag of the first line stands
    tag_size: int = 0


@dataclass(frozen=True)
class Rows:
    """One run's ranking: topics in the order they first appear, documents in rank order."""

    document: NDArray[np.int32]
    rank: NDArray[np.int32]  # as the file says; none, if nobody asks
    score: NDArray[np.float64]
    group_topic: NDArray[np.int32]  # per topic of the run its number
    group_size: NDArray[np.int64]  # and how many rows it has

    @property
    def topic(self) -> NDArray[np.int32]:
        """The topic's number, row by row."""
        return np.repeat(self.group_topic, self.group_size)


@dataclass(frozen=True)
class Streamed:
    """A run that was read in pieces."""

    rows: Rows
    summary: Summary
    comments: int
    first_tag: str
    last_tag: str


class Reader(Protocol):
    """Reads runs one after the other; equal ids get equal numbers across all of them."""

    def read(self, content: bytes, *, order: str, depth: int) -> tuple[Rows, Summary]:
        """The ranking in `content`, cut at `depth` unless it is 0."""

    def stream(
        self, pieces: Iterable[bytes], *, order: str, depth: int, ranks: bool
    ) -> Streamed | None:
        """The ranking in a file that comes in pieces; None of one that must be read whole."""

    def topics(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each topic id starts, and the ids one after the other."""

    def documents(self) -> tuple[NDArray[np.int64], bytes]:
        """Where each document id starts, and the ids one after the other."""

    def find(self, starts: NDArray[np.int64], text: bytes) -> NDArray[np.int32]:
        """The numbers of some document ids, given as `documents` gives them; -1 of one not met."""
