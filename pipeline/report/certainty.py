"""How sure the figures are: intervals and letters of runs, tests of pairs, swaps of measures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.report.board import Board
from pipeline.statistics.letters import apart
from pipeline.storage import sheets

PAIR = {
    "half": "lower",  # half the width of the t interval
    "effect": "effect",
    "t": "p_t",
    "permutation": "p_permutation_holm",
    "tukey": "p_tukey",
}


@dataclass(frozen=True)
class Standing:
    """A run under one measure: the 95 % t interval of its mean and the groups it is in."""

    lower: float
    upper: float
    letters: str

    def shares(self, other: "Standing") -> bool:
        """Whether a group holds both: nothing tells them apart."""
        return not set(apart(self.letters)).isdisjoint(apart(other.letters))


@dataclass(frozen=True)
class Swap:
    """Two runs the contrasted measures put in opposite order; `share` of the samples agree."""

    run_a: str
    run_b: str
    difference_a: float
    difference_b: float
    share: float


Standings = Mapping[tuple[str, str], Standing]  # by measure and run
SUREST = 12  # swaps drawn: more would hide the runs


def read_standings(files: Mapping[str, Path]) -> dict[tuple[str, str], Standing]:
    """Read significance/runs/<measure>.csv, given by measure."""
    found = {}
    for measure, path in files.items():
        for row in sheets.read(path):
            if row["t_lower"] and row["t_upper"]:
                found[measure, row["run"]] = Standing(
                    lower=float(row["t_lower"]),
                    upper=float(row["t_upper"]),
                    letters=row["letters"],
                )
    return found


def told_apart(
    standings: Standings, *, measure: str, best: str, runs: Iterable[str]
) -> dict[str, bool] | None:
    """Whether each of `runs` is told apart from the best one; None if that was not tested."""
    first = standings.get((measure, best))
    if first is None or not first.letters:
        return None
    found = {run: standings.get((measure, run)) for run in runs}
    return {run: not first.shares(one) for run, one in found.items() if one and one.letters}


def from_best(board: Board, standings: Standings) -> dict[str, dict[str, str]]:
    """By measure, whether each run is the best of it, or not told apart or told apart from it.

    The words are "best", "alike" and "apart"; a run that was not tested has none.
    """
    found = {}
    for at, measure in enumerate(board.measures):
        heads = [row.run for row in board.rows if row.cells[at].best]
        others = [row.run for row in board.rows if not row.cells[at].best]
        told = told_apart(standings, measure=measure, best=heads[0], runs=others)
        sides = dict.fromkeys(heads, "best") if told is not None else {}
        sides |= {run: "apart" if apart else "alike" for run, apart in (told or {}).items()}
        found[measure] = sides
    return found


def read_pairs(path: Path, *, runs: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Read significance/<measure>.csv into the upper triangle of `runs` x `runs`, row by row.

    The effect is the earlier run's over the later one's; blanks are NaN.
    """
    place = {run: number for number, run in enumerate(runs)}
    size = len(runs)
    found = {name: np.full(size * (size - 1) // 2, np.nan) for name in PAIR}
    rows = sheets.lines(path)
    header = next(rows, [])
    try:
        a, b, difference = (header.index(n) for n in ("run_a", "run_b", "difference"))
        columns = {name: header.index(column) for name, column in PAIR.items()}
    except ValueError as error:
        raise InputError(f"{path}: not a table of tested pairs; make it again.") from error
    for row in rows:
        one, other = place[row[a]], place[row[b]]
        first, second = min(one, other), max(one, other)
        at = first * (2 * size - first - 1) // 2 + second - first - 1
        for name, column in columns.items():
            if not row[column]:
                continue
            value = float(row[column])
            if name == "half":
                value = float(row[difference]) - value
            elif name == "effect" and one > other:
                value = -value
            found[name][at] = value
    return found


def read_swaps(path: Path, *, contrast: tuple[str, str]) -> list[Swap]:
    """The pairs the two contrasted measures swap, the surest first."""
    from pipeline.storage import arrow

    names = ("measure_a", "measure_b", "run_a", "run_b")
    table = arrow.read(path, codes=names).combine_chunks()
    if not len(table):
        return []
    coded = {name: table[name].chunk(0) for name in names}
    known = {name: coded[name].dictionary.to_pylist() for name in names}
    place = {name: arrow.array(coded[name].indices) for name in names}
    found = []
    for first, second, sign in ((*contrast, 1), (*contrast[::-1], -1)):
        if first not in known["measure_a"] or second not in known["measure_b"]:
            continue
        mine = np.flatnonzero(
            (place["measure_a"] == known["measure_a"].index(first))
            & (place["measure_b"] == known["measure_b"].index(second))
        )
        by_a, by_b, share = (
            arrow.array(table[name])[mine] for name in ("difference_a", "difference_b", "share")
        )
        for row, x, y, sure in zip(mine, by_a, by_b, share, strict=True):
            one, other = (known[name][place[name][row]] for name in ("run_a", "run_b"))
            if sign < 0:  # the file has the measures the other way round
                one, other, x, y = other, one, -y, -x
            found.append(Swap(one, other, float(x), float(y), float(sure)))
    return sorted(
        found,
        key=lambda s: (-np.nan_to_num(s.share), -min(s.difference_a, -s.difference_b), s.run_a),
    )


def surest(swaps: Sequence[Swap]) -> list[Swap]:
    """The swaps worth showing: those that at least half of the samples of topics repeat."""
    return [swap for swap in swaps if swap.share >= 0.5][:SUREST]
