"""How sure the figures are: intervals and letters of runs, tests of pairs, swaps of measures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.report.board import Board
from pipeline.statistics.letters import apart
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Bools, Floats

PAIR = {
    "half": "lower",  # half the width of the t interval
    "effect": "effect",
    "t": "p_t",
    "permutation": "p_permutation_holm",
    "tukey": "p_tukey",
}
SUREST = 12  # swaps drawn: more would hide the runs


class Standing(NamedTuple):
    """A run under one measure: the 95 % t interval of its mean and its significance groups."""

    lower: float
    upper: float
    letters: str

    def shares(self, other: "Standing") -> bool:
        """Whether a group holds both: they do not differ significantly."""
        return not set(apart(self.letters)).isdisjoint(apart(other.letters))


class Swap(NamedTuple):
    """Two runs the contrasted measures put in opposite order; `share` of the samples agree."""

    run_a: str
    run_b: str
    difference_a: float
    difference_b: float
    share: float


Standings = Mapping[tuple[str, str], Standing]  # by measure and run


def read_standings(files: Mapping[str, Path]) -> dict[tuple[str, str], Standing]:
    """Read significance/runs/<measure>.csv, given by measure."""
    return {
        (measure, row["run"]): Standing(
            float(row["t_lower"]), float(row["t_upper"]), row["letters"]
        )
        for measure, path in files.items()
        for row in sheets.read(path)
        if row["t_lower"] and row["t_upper"]
    }


def from_best(board: Board, standings: Standings) -> dict[str, dict[str, str]]:
    """By measure and run, "best", "alike" or "apart": how a run compares with the best one.

    "apart" differs significantly from it; a run that was not tested has no word.
    """
    found: dict[str, dict[str, str]] = {}
    for measure in board.measures:
        cells = board.cells(measure)
        heads = [run for run, cell in cells.items() if cell.best]
        first = standings.get((measure, heads[0]))
        sides = found[measure] = {}
        if first is None or not first.letters:
            continue
        sides |= dict.fromkeys(heads, "best")
        for run in cells:
            stand = standings.get((measure, run))
            if run not in sides and stand and stand.letters:
                sides[run] = "alike" if first.shares(stand) else "apart"
    return found


def place_of(first: int, second: int, *, size: int) -> int:
    """Where a pair is in the upper triangle of `size` runs, row by row."""
    first, second = min(first, second), max(first, second)
    return first * (2 * size - first - 1) // 2 + second - first - 1


def read_pairs(path: Path, *, runs: Sequence[str]) -> dict[str, Floats]:
    """Read significance/<measure>.csv into the upper triangle of `runs` x `runs`, row by row.

    The effect is the earlier run's over the later one's; blanks are NaN.
    """
    place = {run: number for number, run in enumerate(runs)}
    size = len(runs)
    found = {name: np.full(size * (size - 1) // 2, np.nan) for name in PAIR}
    rows = sheets.lines(path)
    header = next(rows, [])
    a, b, difference = (header.index(name) for name in ("run_a", "run_b", "difference"))
    columns = {name: header.index(column) for name, column in PAIR.items()}
    for row in rows:
        one, other = place[row[a]], place[row[b]]
        at = place_of(one, other, size=size)
        for name, column in columns.items():
            if row[column]:
                found[name][at] = float(row[column])
        found["half"][at] = float(row[difference]) - found["half"][at]
        if one > other:
            found["effect"][at] *= -1
    return found


def read_swaps(path: Path, *, contrast: tuple[str, str]) -> list[Swap]:
    """The pairs the two contrasted measures swap, the surest first."""
    names = ("measure_a", "measure_b", "run_a", "run_b")
    table = arrow.read(path, codes=names).combine_chunks()

    def has(name: str, measure: str) -> Bools:
        coded = table[name].chunk(0)
        known = coded.dictionary.to_pylist()
        code = known.index(measure) if measure in known else -1
        return np.asarray(arrow.array(coded.indices) == code)

    found = []
    for first, second in (contrast, contrast[::-1]) if len(table) else ():
        chosen = np.flatnonzero(has("measure_a", first) & has("measure_b", second))
        for row in table.take(arrow.numbers(chosen)).to_pylist():
            runs, by = (row["run_a"], row["run_b"]), (row["difference_a"], row["difference_b"])
            if (first, second) != contrast:  # the file has the measures the other way round
                runs, by = runs[::-1], (-by[1], -by[0])
            found.append(Swap(*runs, *by, np.nan if row["share"] is None else row["share"]))
    return sorted(
        found,
        key=lambda s: (-np.nan_to_num(s.share), -min(s.difference_a, -s.difference_b), s.run_a),
    )


def surest(swaps: Sequence[Swap]) -> list[Swap]:
    """The swaps worth showing: those that at least half of the samples of topics repeat."""
    return [swap for swap in swaps if swap.share >= 0.5][:SUREST]
