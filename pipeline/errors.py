"""What is the matter with something a user gave: where, what, and how to fix it.

Readers, checks, the command and the function all raise or collect `Problem`s. Only the last one to
hold them prints a sentence, and nobody takes a sentence apart again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

Given = TypeVar("Given")
Result = TypeVar("Result")
Severity = Literal["error", "warning"]  # evaluation stops; it continues, and may mislead


@dataclass(frozen=True)
class Problem:
    """One error or warning.

    >>> print(Problem("runs/a.dat", "the score 'x' is not a number", "correct it", line=3))
    runs/a.dat, line 3: the score 'x' is not a number; correct it
    """

    where: str | Path  # a file, a key of the config, an option, an argument; or ''
    what: str
    fix: str = ""
    severity: Severity = "error"
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.where}, line {self.line}" if self.line is not None else str(self.where)
        return (f"{place}: " if place else "") + self.what + (f"; {self.fix}" if self.fix else "")

    def at(self, where: str | Path, line: int | None = None) -> "Problem":
        """The same problem, elsewhere: the caller's name for what a reader knows as a file."""
        return replace(self, where=where, line=self.line if line is None else line)


class InputError(Exception):
    """Something the user gave cannot be used: all its problems at once."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


def each(call: Callable[[Given], Result], given: Iterable[Given]) -> list[Result]:
    """What a call returns of each; the problems of all that it refuses are raised together."""
    results: list[Result] = []
    problems: list[Problem] = []
    for one in given:
        try:
            results.append(call(one))
        except InputError as error:
            problems += error.problems
    if problems:  # a person who corrects 70 submissions wants one round, not 70
        raise InputError(*problems)
    return results
