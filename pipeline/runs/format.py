"""A format of run files: one declared function, in a module of `formats`, to lines in TREC's form.

A format says how a file is taken apart, never how runs are ordered or what is wrong with them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError, Problem
from pipeline.registry import Catalogue, Declared

RUN_LINE = "topic Q0 document rank score tag"


@dataclass(frozen=True, kw_only=True)
class Format(Declared[[Path], bytes]):
    """A format: called with a file it returns lines of `topic Q0 document rank score tag`."""

    as_is: bool = False  # whether files are in TREC's form already, so that they are read in pieces


run_format = Format.declare
FORMATS = Catalogue("run format", "pipeline.runs.formats", of=Format)


class Line(NamedTuple):
    """One retrieved document in a run file of another format, its fields as they are there."""

    number: int  # of the line in the file, ascending
    topic: str
    document: str
    rank: str
    score: str


def as_trec(path: Path, lines: Iterable[Line]) -> bytes:
    """The lines of another format in TREC's form.

    Each keeps its line number, for messages about it: blank lines stand for what is left out.
    """
    text = bytearray()
    at = 1
    for line in lines:
        for what, field in zip(line._fields[1:], line[1:], strict=True):
            if len(field.split()) != 1:
                fault = f"the {what} '{field}' must be one word"
                raise InputError(Problem(path, fault, "correct it", line=line.number))
        text += b"\n" * (line.number - at)
        at = max(at, line.number) + 1
        text += f"{line.topic} Q0 {line.document} {line.rank} {line.score} run\n".encode()
    if not text:
        raise InputError(Problem(path, "there is no document in this run", "check its format"))
    return bytes(text)
