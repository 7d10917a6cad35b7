"""means.csv in memory."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class Means:
    """means.csv in memory: `values` has one row a run and one column a measure."""

    runs: tuple[str, ...]
    teams: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats

    def column(self, measure: str) -> Floats:
        """The mean of every run under one measure."""
        column: Floats = self.values[:, self.measures.index(measure)]
        return column


def read_means(path: Path) -> Means:
    """Read means.csv (run, team, then one column a measure), refusing what is not a number."""
    rows = sheets.lines(path)
    header = next(rows, [])
    if header[:2] != ["run", "team"] or len(header) < 3:
        raise InputError(
            f"{path}: the header must be run,team and at least one measure, "
            f"but it is {','.join(header) or 'empty'!r}."
        )
    measures = tuple(header[2:])
    for measure in measures:
        if measures.count(measure) > 1:
            raise InputError(f"{path}: measure {measure!r} has two columns; keep one.")
    runs: dict[str, str] = {}
    values: list[list[float]] = []
    for line, row in enumerate(rows, start=2):
        where = f"{path}, line {line}"
        if len(row) != len(header):
            raise InputError(f"{where}: {len(row)} fields instead of {len(header)}.")
        if row[0] in runs:
            raise InputError(f"{where}: run {row[0]!r} appears twice; keep one row a run.")
        runs[row[0]] = row[1]
        values.append([_number(cell, where) for cell in row[2:]])
    if not runs:
        raise InputError(f"{path}: no run in this file; at least one row is needed.")
    return Means(tuple(runs), tuple(runs.values()), measures, np.array(values, dtype=np.float64))


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}: {cell!r} is not a finite number; every run needs every mean.")
    return value
