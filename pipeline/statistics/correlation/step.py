"""The step: from means and scores to correlations.csv and swaps.parquet."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.registry import Catalogue
from pipeline.statistics.correlation.bootstrap import bootstrap, levelled
from pipeline.statistics.correlation.statistic import Rankings, Statistic
from pipeline.statistics.correlation.swaps import counts, repeated, swapping, write
from pipeline.statistics.means import Means, read_means
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats, Ints

STATISTICS = Catalogue("statistic", "pipeline.statistics.correlation.statistics", of=Statistic)


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
    """Write correlations.csv: measure_a, measure_b, n, one column per statistic, swaps, intervals.

    One row for every *ordered* pair of different measures, in column order, because tau_ap is
    not symmetric: measure_a is the reference, measure_b the estimate. n is the number of runs,
    `swaps` how many pairs of runs the two measures put in opposite order. With `samples`, each
    statistic also has `_lower` and `_upper`: the 95 % percentile interval over topics drawn with
    replacement, from the per-topic `scores`; only of measures that are a mean or a sum over
    topics. A value that is not defined is left blank.

    `swaps`, a Parquet file, has the pairs themselves (see `swaps.write`).
    """
    table = read_means(means)
    values = levelled(table.values.T)
    matrices = {
        name: partial(STATISTICS[name].between, persistence=persistence, depth=depth)
        for name in statistics
    }
    found = {name: matrix(Rankings(values)) for name, matrix in matrices.items()}
    intervals: dict[str, Floats] = {}
    swapped, share = swapping(values), None
    if samples:
        per_topic = _per_topic(scores, table=table, source=means)
        one_way = [name for name in statistics if STATISTICS[name].one_way]
        intervals = bootstrap(
            per_topic, matrices=matrices, one_way=one_way, samples=samples, seed=seed
        )
        if swaps is not None:
            share = repeated(swapped, per_topic, samples=samples, seed=seed)
        for other in _not_means(per_topic, table.values.T):
            for ends in intervals.values():
                ends[:, other, :] = ends[:, :, other] = math.nan
            if share is not None:
                share[(swapped.a == other) | (swapped.b == other)] = math.nan
    number = counts(swapped, measures=len(table.measures))
    _write(out, table, found=found, swaps=number, intervals=intervals)
    if swaps is not None:
        write(swaps, swapped, table=table, values=values, share=share)


def _per_topic(scores: Sequence[Path], *, table: Means, source: Path) -> list[Floats]:
    """The scores of each measure of means.csv, the runs in its order."""
    from pipeline.measures.score_table import read  # pyarrow, which the statistics do without

    tables = {one.measure: one for one in map(read, scores)}
    topics = {one.topics for one in tables.values()}
    for measure in table.measures:
        if measure not in tables or set(tables[measure].runs) != set(table.runs):
            what = f"there are no scores of the same runs for {measure!r}"
            raise InputError(Problem(source, what, "rebuild both"))
    if len(topics) > 1:
        raise InputError(Problem(source, "the scores are of different topics", "rebuild them"))
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
    swaps: Ints,
    intervals: Mapping[str, Floats],
) -> None:
    bounds = [f"{name}_{end}" for name in intervals for end in ("lower", "upper")]
    ends = [end for pair in intervals.values() for end in pair]
    sheets.write(
        out,
        ["measure_a", "measure_b", "n", *found, "swaps", *bounds],
        (
            [
                *(measure_a, measure_b, len(table.runs)),
                *(sheets.decimals(matrix[a, b]) for matrix in found.values()),
                *(int(swaps[a, b]), *(sheets.decimals(end[a, b]) for end in ends)),
            ]
            for a, measure_a in enumerate(table.measures)
            for b, measure_b in enumerate(table.measures)
            if a != b
        ),
    )
