"""means.csv: one row per run, one column per measure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.text import number


@dataclass(frozen=True)
class Means:
    """means.csv in memory: `values` has one row per run and one column per measure."""

    runs: tuple[str, ...]
    teams: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats

    def column(self, measure: str) -> Floats:
        return np.asarray(self.values[:, self.measures.index(measure)])


def write_means(overall: Sequence[Path], *, out: Path, teams: Mapping[str, str]) -> None:
    """Write means.csv from each measure's overall scores: means, geometric means or sums."""
    from pipeline.storage import arrow  # imports pyarrow, else unused here

    table: dict[str, dict[str, float]] = {}
    for path in overall:
        scores = arrow.read(path)
        values = arrow.array(scores["value"]).tolist()
        measure = scores["measure"][0].as_py()
        table[measure] = dict(zip(scores["run"].to_pylist(), values, strict=True))
    runs = sorted(next(iter(table.values())))
    rows = ([run, teams[run], *(repr(column[run]) for column in table.values())] for run in runs)
    sheets.write(out, ["run", "team", *table], rows)


def read_means(path: Path) -> Means:
    """Read means.csv: run, team, then one column per measure; all means must be finite numbers."""

    def refuse(what: str, fix: str = "", line: int | None = None) -> InputError:
        return InputError(Problem(path, what, fix, line=line))

    rows = sheets.lines(path)
    header = next(rows, [])
    if header[:2] != ["run", "team"] or len(header) < 3:
        what = f"the header is {','.join(header) or 'empty'!r}"
        raise refuse(what, "write a header of run,team and at least one measure", 1)
    for measure in header[2:]:
        if header[2:].count(measure) > 1:
            raise refuse(f"measure {measure!r} has two columns", "keep one of them", 1)
    runs: dict[str, str] = {}
    values: list[list[float]] = []
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            what = f"the line has {len(row)} fields instead of {len(header)}"
            raise refuse(what, "write one field per column", line)
        if row[0] in runs:
            raise refuse(f"run {row[0]!r} occurs twice", "keep one row per run", line)
        runs[row[0]] = row[1]
        values.append([number(cell) for cell in row[2:]])
        for cell, value in zip(row[2:], values[-1], strict=True):
            if not math.isfinite(value):
                what = f"{cell!r} is not a finite number"
                raise refuse(what, "give each run a mean of each measure", line)
    if not runs:
        raise refuse("the file has no runs", "add at least one row")
    names = tuple(runs), tuple(runs.values()), tuple(header[2:])
    return Means(*names, np.array(values, dtype=np.float64))
