"""What a format of run files is: one declared function that gives a file's lines in TREC's form.

All formats meet in TREC's lines because they are what the reader ranks and checks: a format says
how a file is taken apart, never how runs are ordered or what is wrong with them. A module in
`formats` with one such function is all a further format takes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.registry import LAST, Catalogue, Entry

Function = Callable[[Path], bytes]


@dataclass(frozen=True, kw_only=True)
class Format(Entry):
    """A format; called with a file it gives its lines in TREC's form."""

    function: Function
    as_is: bool  # whether files are in TREC's form already, so that they can be read in pieces

    def __call__(self, path: Path) -> bytes:
        """The lines of one run file, `topic Q0 document rank score tag` each."""
        return self.function(path)


def run_format(
    name: str, *, title: str, order: int = LAST, as_is: bool = False
) -> Callable[[Function], Format]:
    """Declare a format above its function; `title` says what such a file looks like."""

    def declare(function: Function) -> Format:
        return Format(name=name, title=title, order=order, function=function, as_is=as_is)

    return declare


class Line(NamedTuple):
    """One retrieved document in a run file of another format, its fields as they are there."""

    number: int  # of the line in the file, ascending
    topic: str
    document: str
    rank: str
    score: str


def as_trec(path: Path, lines: Iterable[Line]) -> bytes:
    """The lines of another format in TREC's form.

    Each keeps its line number (blank lines, which are skipped, stand for what is left out), so
    that whatever is wrong with it is told with the right one.
    """
    made = bytearray()
    at = 1
    for line in lines:
        for what, field in zip(line._fields[1:], line[1:], strict=True):
            if len(field.split()) != 1:
                raise InputError(
                    f"{path}, line {line.number}: the {what} '{field}' must be one word; correct it"
                )
        made += b"\n" * (line.number - at)
        at = max(at, line.number) + 1
        made += f"{line.topic} Q0 {line.document} {line.rank} {line.score} run\n".encode()
    if not made:
        raise InputError(f"{path}: there is no document in this run; check its format")
    return bytes(made)


FORMATS = Catalogue("run format", "pipeline.runs.formats", of=Format)
