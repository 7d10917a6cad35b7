"""What the desk has to say about one file: where, what, how bad, and how to put it right."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

WRONG, ODD = "wrong", "odd"  # evaluation would stop; it would go on, and may mislead


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong or odd."""

    kind: Literal["run", "labels", "topics"]
    name: str  # of the run, of the dimension; '' for topics
    file: str
    line: int | None
    severity: Literal["wrong", "odd"]
    what: str
    fix: str


def sentence_parts(sentence: str, *, path: Path) -> tuple[int | None, str, str]:
    """Line, what and fix of a sentence as readers write them: `<file>, line <n>: <what>; <fix>`.

    >>> sentence_parts("r/a, line 3: the score 'x' is not a number; correct it", path=Path("r/a"))
    (3, "the score 'x' is not a number", 'correct it')
    >>> sentence_parts("r/a: the file is empty; a run has lines of 'x'", path=Path("r/a"))
    (None, 'the file is empty', "a run has lines of 'x'")
    """
    rest = sentence.removeprefix(str(path))
    place = re.match(r", line (\d+): |: ", rest)
    line = int(place[1]) if place and place[1] else None
    rest = rest[place.end() :] if place else rest
    what, _, fix = rest.rpartition("; ")
    return (line, what, fix) if what else (line, rest, "correct the file")
