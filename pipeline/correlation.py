"""How far two measures agree on the order of the runs.

Each statistic is a pure function of two score vectors (one score a run, higher is better) and is
listed once in `STATISTICS`; `correlate` is the step that applies them to a campaign's means.csv.
Kendall's tau is our own sign matrix because importing scipy.stats costs a job over a second.
"""

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.errors import InputError
from pipeline.files import atomic

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Means:
    """means.csv in memory: `values` has one row a run and one column a measure."""

    runs: tuple[str, ...]
    teams: tuple[str, ...]
    measures: tuple[str, ...]
    values: Vector

    def column(self, measure: str) -> Vector:
        """The mean of every run under one measure."""
        column: Vector = self.values[:, self.measures.index(measure)]
        return column


def tau_b(x: ArrayLike, y: ArrayLike) -> float:
    """Kendall's tau-b (Kendall 1945): concordant minus discordant pairs, corrected for ties.

    Symmetric. NaN where it is undefined: fewer than two runs, or all runs tied in x or in y.
    """
    a, b = _pair(x, y)
    order_a, order_b = _signs(a), _signs(b)
    untied = math.sqrt(float(np.sum(order_a**2)) * float(np.sum(order_b**2)))
    return float(np.sum(order_a * order_b)) / untied if untied else math.nan


def tau_ap(x: ArrayLike, y: ArrayLike) -> float:
    """AP correlation of an estimated ranking `y` with the reference ("true") scores `x`.

    Yilmaz, Aslam & Robertson (SIGIR 2008), eq. 2: walk down the ranking by y and average, over
    all runs but the first, the share of the runs above that x also puts above, scaled to [-1, 1].
    Mistakes near the top of y cost more; so tau_ap(x, y) and tau_ap(y, x) differ.

    Ties: the mean over all ways to break them. For ties in y that is tau_AP,a of Urbano & Marrero
    (ICTIR 2017), which takes x as free of ties; ties in x are averaged in the same way. A pair
    tied in x or in y thus adds nothing, and a ranking that ties all runs scores 0.
    NaN for fewer than two runs.
    """
    a, b = _pair(x, y)
    n = len(b)
    if n < 2:
        return math.nan
    above = b[None, :] > b[:, None]  # above[i, j]: y puts run j above run i
    first = above.sum(axis=1)  # runs strictly above run i: its tie group fills ranks first+1...
    size = (b[None, :] == b[:, None]).sum(axis=1)  # ...to first+size, each equally likely
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, n))))
    last = harmonic[first + size - 1] - harmonic[np.maximum(first - 1, 0)]
    weight = np.where(first > 0, last / size, 0.0)  # mean of 1 / (rank - 1) over those ranks
    agreement = (above * _signs(a)).sum(axis=1)
    return float(np.sum(weight * agreement)) / (n - 1)


def tau_ap_b(x: ArrayLike, y: ArrayLike) -> float:
    """Tau_AP,b of Urbano & Marrero (ICTIR 2017): AP correlation of two rankings that may both tie.

    Symmetric: the mean of both directions. A tie is taken as meant: a run is compared with the
    runs strictly above its tie group, and a pair the other ranking ties is not concordant.
    NaN where it is undefined: fewer than two runs, or all runs tied in x or in y.
    """
    a, b = _pair(x, y)
    return (_agreement_above(a, b) + _agreement_above(b, a)) / 2


Statistic = Callable[[ArrayLike, ArrayLike], float]
STATISTICS: Mapping[str, Statistic] = MappingProxyType(
    {"tau_b": tau_b, "tau_ap": tau_ap, "tau_ap_b": tau_ap_b}
)


def correlate(means: Path, *, out: Path, statistics: Sequence[str]) -> None:
    """Write correlations.csv: measure_a, measure_b, n, one column a statistic.

    One row for every *ordered* pair of different measures, in column order, because tau_ap is
    not symmetric: measure_a is the reference, measure_b the estimate. n is the number of runs.
    A value that is not defined (one run; all runs tied) is left blank.
    """
    for name in statistics:
        if name not in STATISTICS:
            raise InputError(_unknown(name))
    table = read_means(means)
    with atomic(out) as draft, draft.open("w", newline="", encoding="utf-8") as sink:
        writer = csv.writer(sink, lineterminator="\n")
        writer.writerow(["measure_a", "measure_b", "n", *statistics])
        for a, measure_a in enumerate(table.measures):
            for b, measure_b in enumerate(table.measures):
                if a == b:
                    continue
                x, y = table.values[:, a], table.values[:, b]
                found = [_text(STATISTICS[name](x, y)) for name in statistics]
                writer.writerow([measure_a, measure_b, len(table.runs), *found])


def read_means(path: Path) -> Means:
    """Read means.csv (run, team, then one column a measure), refusing what is not a number."""
    with path.open(newline="", encoding="utf-8") as source:
        rows = csv.reader(source)
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
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            if len(row) != len(header):
                raise InputError(f"{where}: {len(row)} fields instead of {len(header)}.")
            if row[0] in runs:
                raise InputError(f"{where}: run {row[0]!r} appears twice; keep one row a run.")
            runs[row[0]] = row[1]
            values.append([_number(cell, where) for cell in row[2:]])
    if not runs:
        raise InputError(f"{path}: no run in this file; at least one row is needed.")
    return Means(tuple(runs), tuple(runs.values()), measures, np.array(values, dtype=np.float64))


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Vector, Vector]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"two vectors of the same length are needed, not {a.shape} and {b.shape}")
    return a, b


def _signs(scores: Vector) -> Vector:
    """signs[i, j] = 1 where run j scores above run i, -1 below, 0 tied."""
    signs: Vector = np.sign(scores[None, :] - scores[:, None])
    return signs


def _agreement_above(x: Vector, y: Vector) -> float:
    above = y[None, :] > y[:, None]
    count = above.sum(axis=1)
    below_first = count > 0
    if not below_first.any() or np.all(x == x[0]):
        return math.nan
    concordant = (above & (x[None, :] > x[:, None])).sum(axis=1)
    return 2 * float(np.mean(concordant[below_first] / count[below_first])) - 1


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}: {cell!r} is not a finite number; every run needs every mean.")
    return value


def _text(value: float) -> str:
    # + 0.0 turns -0.0 into 0.0, which would print a sign.
    return "" if math.isnan(value) else f"{round(value, 6) + 0.0:.6f}"


def _unknown(name: str) -> str:
    near = get_close_matches(name, STATISTICS, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"correlations.statistics: {name!r} is unknown; {hint}Known: {', '.join(STATISTICS)}."
