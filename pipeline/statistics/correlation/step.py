"""The step: from means and scores to correlations.csv and swaps.parquet."""

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.registry import Catalogue
from pipeline.statistics.correlation.bootstrap import Interval, bootstrap, levelled
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.correlation.statistic import Rankings, Statistic
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

STATISTICS = Catalogue("statistic", "pipeline.statistics.correlation.statistics", of=Statistic)

Pairs = dict[tuple[int, int], NDArray[np.int64]]


def correlate(
    means: Path,
    *,
    out: Path,
    statistics: Sequence[str],
    scores: Sequence[Path] = (),
    swaps: Path | None = None,
    persistence: float = 0.9,
    depth: int = 10,
    samples: int = 0,
    seed: int = 1,
) -> None:
    """Write correlations.csv: measure_a, measure_b, n, one column a statistic, swaps, intervals.

    One row for every *ordered* pair of different measures, in column order, because tau_ap is
    not symmetric: measure_a is the reference, measure_b the estimate. n is the number of runs,
    `swaps` how many pairs of runs the two measures put in opposite order. With `samples`, each
    statistic also has `_lower` and `_upper`: the 95 % percentile interval over topics drawn with
    replacement, from the per-topic `scores`; only of measures that are a mean or a sum over
    topics. A value that is not defined is left blank.

    `swaps`, a Parquet file, has the pairs themselves (see `_write_swaps`).
    """
    for name in statistics:
        if name not in STATISTICS:
            raise InputError(_unknown(name))
    table = read_means(means)
    values = levelled(table.values.T)
    matrices = {
        name: partial(STATISTICS[name].between, persistence=persistence, depth=depth)
        for name in statistics
    }
    found = {name: matrix(Rankings(values)) for name, matrix in matrices.items()}
    swapped = swapping(values)
    intervals: dict[str, Interval] = {}
    sure: dict[tuple[int, int], Floats] = {}
    if samples:
        per_topic = _per_topic(scores, table=table, source=means)
        intervals, sure = bootstrap(
            per_topic, matrices=matrices, swapped=swapped, samples=samples, seed=seed
        )
        for other in _not_means(per_topic, table.values.T):
            for end in (end for pair in intervals.values() for end in pair):
                end[other, :] = end[:, other] = math.nan
            for key in (key for key in sure if other in key):
                sure[key][:] = math.nan
    _write(out, table, found=found, swapped=swapped, intervals=intervals)
    if swaps is not None:
        _write_swaps(swaps, table, values=values, swapped=swapped, sure=sure)


def swapping(values: Floats) -> Pairs:
    """For every two measures a < b, the pairs of runs (i, j) that a puts i above j and b below."""
    found: Pairs = {}
    for a, x in enumerate(values):
        higher = x[:, None] > x[None, :]
        for b in range(a + 1, len(values)):
            y = values[b]
            found[a, b] = np.argwhere(higher & (y[:, None] < y[None, :]))
    return found


def _per_topic(scores: Sequence[Path], *, table: Means, source: Path) -> list[Floats]:
    """The scores of each measure of means.csv, the runs in its order."""
    from pipeline.statistics.score_table import read  # pyarrow, which the statistics do without

    tables = {one.measure: one for one in map(read, scores)}
    topics = {one.topics for one in tables.values()}
    for measure in table.measures:
        if measure not in tables or set(tables[measure].runs) != set(table.runs):
            raise InputError(
                f"{source}: there are no scores of the same runs for {measure!r}; make both again."
            )
    if len(topics) > 1:
        raise InputError(f"{source}: the scores are of different topics; make them again.")
    place = {run: row for row, run in enumerate(tables[table.measures[0]].runs)}
    rows = [place[run] for run in table.runs]
    return [tables[measure].values[rows] for measure in table.measures]


def _not_means(per_topic: Sequence[Floats], means: Floats) -> list[int]:
    """Measures whose figure is neither mean nor sum of their topics (a geometric mean, say)."""
    return [
        number
        for number, (values, figure) in enumerate(zip(per_topic, means, strict=True))
        if not np.allclose(values.mean(axis=1), figure, rtol=1e-9, atol=1e-12)
        and not np.allclose(values.sum(axis=1), figure, rtol=1e-9, atol=1e-12)
    ]


def _write(
    out: Path,
    table: Means,
    *,
    found: Mapping[str, Floats],
    swapped: Pairs,
    intervals: Mapping[str, Interval],
) -> None:
    bounds = [(f"{name}_{end}", at) for name, at in intervals.items() for end in ("lower", "upper")]
    rows = []
    for a, measure_a in enumerate(table.measures):
        for b, measure_b in enumerate(table.measures):
            if a == b:
                continue
            cells = [_text(matrix[a, b]) for matrix in found.values()]
            ends = [_text(end[a, b]) for pair in intervals.values() for end in pair]
            swaps = len(swapped[min(a, b), max(a, b)])
            rows.append([measure_a, measure_b, len(table.runs), *cells, swaps, *ends])
    header = ["measure_a", "measure_b", "n", *found, "swaps", *(name for name, _ in bounds)]
    sheets.write(out, header, rows)


def _write_swaps(
    out: Path,
    table: Means,
    *,
    values: Floats,
    swapped: Pairs,
    sure: Mapping[tuple[int, int], Floats],
) -> None:
    """Write the pairs of runs that two measures put in opposite order.

    measure_a, measure_b, run_a, run_b, difference_a (of run_a over run_b under measure_a, above
    zero), difference_b (below zero), share (of the samples that swap them too; NaN without).
    """
    import pyarrow as pa

    from pipeline.storage import arrow
    from pipeline.storage.arrow import CODED, coded, numbers

    keys = list(swapped)
    size = [len(swapped[key]) for key in keys]
    one, other = np.concatenate([np.empty((0, 2), np.int64), *swapped.values()]).T
    a, b = (np.repeat(np.array([key[side] for key in keys], np.int64), size) for side in (0, 1))
    unknown = [np.full(number, math.nan) for number in size]
    shares = [sure.get(key, blank) for key, blank in zip(keys, unknown, strict=True)]
    arrow.write(
        out,
        {
            "measure_a": coded(a, table.measures),
            "measure_b": coded(b, table.measures),
            "run_a": coded(one, table.runs),
            "run_b": coded(other, table.runs),
            "difference_a": numbers(values[a, one] - values[a, other]),
            "difference_b": numbers(values[b, one] - values[b, other]),
            "share": numbers(np.concatenate([np.empty(0), *shares])),
        },
        schema=pa.schema(
            [(name, CODED) for name in ("measure_a", "measure_b", "run_a", "run_b")]
            + [(name, pa.float64()) for name in ("difference_a", "difference_b", "share")]
        ),
    )


def _text(value: float) -> str:
    # + 0.0 turns -0.0 into 0.0, which would print a sign.
    return "" if math.isnan(value) else f"{round(float(value), 6) + 0.0:.6f}"


def _unknown(name: str) -> str:
    near = get_close_matches(name, STATISTICS, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"correlations.statistics: {name!r} is unknown; {hint}Known: {', '.join(STATISTICS)}."
