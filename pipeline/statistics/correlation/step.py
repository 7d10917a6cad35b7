"""The step `correlate`: from means and scores to correlations.csv and swaps.parquet."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.registry import Catalogue
from pipeline.statistics.correlation.bootstrap import bootstrap, round_means
from pipeline.statistics.correlation.statistic import Statistic, SystemRankings
from pipeline.statistics.correlation.swaps import bootstrap_support, count_swaps, find_swaps, write
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

    There is one row per *ordered* pair of different measures, in column order, because tau_ap is
    not symmetric: measure_a is the reference, measure_b the estimate. n is the number of runs,
    `swaps` the number of pairs of runs that the two measures put in opposite order. With `samples`,
    each statistic also has `_lower` and `_upper`: the 95 % percentile interval over topics drawn
    with replacement from `scores`, for measures that are a mean or a sum over topics. Undefined
    values are blank.

    The Parquet file `swaps` gets the pairs themselves (see `swaps.write`).
    """
    table = read_means(means)
    values = round_means(table.values.T)
    matrices = {
        name: partial(STATISTICS[name].between, persistence=persistence, depth=depth)
        for name in statistics
    }
    correlations = {name: matrix(SystemRankings(values)) for name, matrix in matrices.items()}
    intervals: dict[str, Floats] = {}
    pairs, support = find_swaps(values), None
    if samples:
        per_topic = _per_topic(scores, table=table, source=means)
        one_way = [name for name in statistics if STATISTICS[name].one_way]
        draws = {"samples": samples, "seed": seed}
        intervals = bootstrap(per_topic, matrices=matrices, one_way=one_way, **draws)
        if swaps is not None:
            support = bootstrap_support(pairs, per_topic, **draws)
        for index in _not_means(per_topic, table.values.T):
            for ends in intervals.values():
                ends[:, index, :] = ends[:, :, index] = math.nan
            if support is not None:
                support[(pairs.a == index) | (pairs.b == index)] = math.nan
    _write(out, table, correlations, count_swaps(pairs, measures=len(table.measures)), intervals)
    if swaps is not None:
        write(swaps, pairs, table=table, values=values, support=support)


def _per_topic(scores: Sequence[Path], *, table: Means, source: Path) -> list[Floats]:
    """The scores of each measure of means.csv, with the runs in the order of that file."""
    from pipeline.measures.score_table import read  # imports pyarrow, else unused here

    tables = {scored.measure: scored for scored in map(read, scores)}
    for measure in table.measures:
        if measure not in tables or set(tables[measure].runs) != set(table.runs):
            what = f"the scores of {measure!r} are missing or of other runs"
            fix = "delete this file and the folder scores/, then rerun the campaign"
            raise InputError(Problem(source, what, fix))
    if len({scored.topics for scored in tables.values()}) > 1:
        what = "the measures were scored on different topics"
        raise InputError(Problem(source, what, "delete the folder scores/ and rerun the campaign"))
    runs = tables[table.measures[0]].runs
    rows = [runs.index(run) for run in table.runs]
    return [tables[measure].values[rows] for measure in table.measures]


def _not_means(per_topic: Sequence[Floats], means: Floats) -> list[int]:
    """Indices of measures that are neither a mean nor a sum over topics, for example GMAP."""
    close = partial(np.allclose, rtol=1e-9, atol=1e-12)
    return [
        index
        for index, (values, overall) in enumerate(zip(per_topic, means, strict=True))
        if not close(values.mean(axis=1), overall) and not close(values.sum(axis=1), overall)
    ]


def _write(
    out: Path, table: Means, values: dict[str, Floats], swaps: Ints, intervals: dict[str, Floats]
) -> None:
    bounds = [f"{name}_{end}" for name in intervals for end in ("lower", "upper")]
    ends = [end for pair in intervals.values() for end in pair]
    rows = (
        [
            *(measure_a, measure_b, len(table.runs)),
            *(sheets.decimals(matrix[a, b]) for matrix in values.values()),
            *(int(swaps[a, b]), *(sheets.decimals(end[a, b]) for end in ends)),
        ]
        for a, measure_a in enumerate(table.measures)
        for b, measure_b in enumerate(table.measures)
        if a != b
    )
    sheets.write(out, ["measure_a", "measure_b", "n", *values, "swaps", *bounds], rows)
