"""What the desk has to say about one file: where, what, how bad, and how to put it right."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pipeline.storage.text import natural

WRONG, ODD = "wrong", "odd"  # evaluation would stop; it would go on, and may mislead
Kind = Literal["config", "source", "topics", "labels", "teams", "run", "people"]
KINDS: tuple[Kind, ...] = get_args(Kind)  # in the order in which they are told
NAMED = 5  # ids a sentence names


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong or odd."""

    kind: Kind
    name: str  # of the run, the dimension, the key of the config, what people were asked; or ''
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


def wrong(
    kind: Kind, name: str, file: Path | str, line: int | None, what: str, fix: str
) -> Problem:
    """Something that would stop the evaluation."""
    return Problem(
        kind=kind, name=name, file=str(file), line=line, severity="wrong", what=what, fix=fix
    )


def odd(
    kind: Kind, name: str, file: Path | str, what: str, fix: str, *, line: int | None = None
) -> Problem:
    """Something that would not."""
    return Problem(
        kind=kind, name=name, file=str(file), line=line, severity="odd", what=what, fix=fix
    )


def some(ids: Iterable[str]) -> str:
    """The first few of some ids, and how many more there are."""
    shown = sorted(ids, key=natural)
    more = f" and {len(shown) - NAMED} more" if len(shown) > NAMED else ""
    return ", ".join(f"'{one}'" for one in shown[:NAMED]) + more


def in_order(found: Sequence[Problem]) -> list[Problem]:
    """Problems as they are told: by kind, then by file, what is wrong first."""
    severities = {WRONG: 0, ODD: 1}
    return sorted(
        found,
        key=lambda one: (
            KINDS.index(one.kind),
            one.name,
            one.file,
            severities[one.severity],
            one.line or 0,
        ),
    )
