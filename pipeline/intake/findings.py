"""A problem of the input check: an error or a warning, and the run or dimension it concerns."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from pipeline.errors import Problem
from pipeline.storage.text import natural

Kind = Literal["config", "source", "topics", "labels", "teams", "run", "people"]
K = TypeVar("K")
KINDS: tuple[Kind, ...] = get_args(Kind)  # in the order in which they are listed
NAMED = 5  # ids a message names


@dataclass(frozen=True)
class Finding(Problem):
    """A problem, with the kind and the name of the input it concerns.

    >>> print(*findings([Problem("r/a", "the file is empty", "send it")], "run", "a"))
    r/a: the file is empty; send it
    """

    kind: Kind = "config"
    name: str = ""  # of the run, the dimension, the source, the kind of preference data; or ''

    @property
    def file(self) -> str:
        return str(self.where)


def findings(problems: Iterable[Problem], kind: Kind, name: str = "") -> list[Finding]:
    """Problems of one input."""
    return [Finding(**{**vars(problem), "kind": kind, "name": name}) for problem in problems]


def in_order(problems: Iterable[Finding]) -> list[Finding]:
    """Findings by kind, name and file, errors first."""
    return sorted(
        problems, key=lambda p: (KINDS.index(p.kind), p.name, p.file, p.severity, p.line or 0)
    )


def failed(problems: Iterable[Finding], *, strict: bool = False) -> bool:
    """Whether there is an error, or, if `strict`, a warning."""
    return any(strict or problem.severity == "error" for problem in problems)


def first_few(ids: Iterable[str]) -> str:
    """The first few ids, and the number of others.

    >>> first_few(["t10", "t9"])
    "'t9', 't10'"
    """
    ordered = sorted(ids, key=natural)
    more = f" and {len(ordered) - NAMED} more" if len(ordered) > NAMED else ""
    return ", ".join(f"'{name}'" for name in ordered[:NAMED]) + more


def identical(rankings: Mapping[K, bytes]) -> dict[K, list[K]]:
    """For each run, the other runs with the same rankings; only runs with such others.

    >>> identical({"a": b"1", "b": b"2", "c": b"1"})
    {'a': ['c'], 'c': ['a']}
    """
    same: defaultdict[bytes, list[K]] = defaultdict(list)
    for run, ranking in rankings.items():
        same[ranking].append(run)
    return {
        run: [other for other in same[ranking] if other != run]
        for run, ranking in rankings.items()
        if len(same[ranking]) > 1
    }
