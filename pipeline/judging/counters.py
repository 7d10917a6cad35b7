"""What each way to cleanse and to count pages does to the ranking of systems.

Palotti, Zuccon & Hanbury (CIKM 2015) showed that both change readability estimates; here the runs
are ranked anew by the estimates of each way. Only documents that were tried are known in any of
these rankings, also in the one the others are compared with, so that they differ by nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.gains.attach import attach
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import altered, overall, readings, unscored, values_of
from pipeline.judging.sweep import compare
from pipeline.measures import Measure, parse
from pipeline.pages.readability.ways import Way, ways
from pipeline.pages.user_models.simulate import simulate
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Floats

COLUMNS = (
    "dimension", "index", "method", "sentence_ends", "engine", "chosen", "pages", "both",
    "difference", "pages_tau_b", "measure", "mean", "tau_b", "tau_ap_b", "top10_changes",
    "largest_move", "leader",
)  # fmt: skip


def compare_counters(
    shards: Sequence[Path],
    *,
    gains: Mapping[str, Path],
    rankings: Path,
    topics: Sequence[str],
    measures: Sequence[str],
    estimates: Mapping[str, Mapping[str, Any]],
    unjudged: str,
    chosen: Way,
    out: Path,
) -> None:
    """Write counters.csv: one row a dimension, way and measure that reads the dimension.

    `estimates` has index, model and threshold of each estimated dimension.
    """
    tables = pa.concat_tables([arrow.read(shard) for shard in shards])
    data = read_gains(gains)
    ranked = read_rankings(rankings, topics=topics)
    wanted = unscored([parse(name, dimensions=list(gains)) for name in measures])
    rows: list[dict[str, Any]] = []
    for dimension, estimate in estimates.items():
        mine = [measure for measure in wanted if readings(measure, dimension)]
        base: dict[str, Floats] = {}
        known: dict[str, float] = {}
        for way in ways(chosen):
            tried = _of(tables, way)
            found = _indices(tried, estimate["index"])
            known = known or found
            changed = _with(data, dimension, ranked=ranked, tried=tried, estimate=estimate)
            if unjudged == "condensed":
                changed = changed.condensed(next(iter(gains)))
            rows += [
                {
                    "dimension": dimension,
                    "index": estimate["index"],
                    **{name: _plain(value) for name, value in asdict(way).items()},
                    "chosen": int(way == chosen),
                    **_pages(known, found),
                    **ranking,
                }
                for ranking in _ranked(changed, mine, base)
            ]
    sheets.write(out, COLUMNS, rows)


def _ranked(
    gains: Gains, measures: Sequence[Measure], base: dict[str, Floats]
) -> Iterator[dict[str, Any]]:
    """Each measure's ranking beside the one of the first way, which is remembered in `base`."""
    for measure, scores in zip(measures, values_of(measures, gains), strict=True):
        found = overall(measure, scores, gains)
        first = base.setdefault(measure.name, found)
        yield {"measure": measure.name, **compare(first, found, runs=gains.runs)}


def _of(tables: pa.Table, way: Way) -> pa.Table:
    """What one way made of each document; of a document with several pages, of the first."""
    found = tables
    for name, value in asdict(way).items():
        found = found.filter(pc.equal(found[name], value))
    documents = found["document"].to_pylist()
    first = {document: at for at, document in reversed([*enumerate(documents)])}
    return found.take(arrow.numbers(np.array(sorted(first.values()), np.int64)))


def _indices(tried: pa.Table, index: str) -> dict[str, float]:
    """The documents that have the index."""
    each = zip(tried["document"].to_pylist(), tried[index].to_pylist(), strict=True)
    return {document: value for document, value in each if value is not None and value == value}


def _with(
    data: Gains,
    dimension: str,
    *,
    ranked: Rankings,
    tried: pa.Table,
    estimate: Mapping[str, Any],
) -> Gains:
    """The gains with the dimension as these pages say."""
    with TemporaryDirectory() as folder:
        pages, labels = Path(folder, "pages.parquet"), Path(folder, "labels.parquet")
        arrow.write(pages, tried)
        simulate(pages, out=labels, **estimate)
        found = attach(ranked, arrow.read(labels))
    return altered(data, dimensions={**data.dimensions, dimension: found})


def _pages(known: Mapping[str, float], found: Mapping[str, float]) -> dict[str, Any]:
    """How the index of single pages differs from that of the chosen way."""
    from scipy.stats import kendalltau

    both = sorted(known.keys() & found.keys())
    a, b = (np.array([one[document] for document in both]) for one in (known, found))
    tau = kendalltau(a, b).statistic if len(both) > 1 else np.nan  # our own is for a few runs
    return {
        "pages": len(found),
        "both": len(both),
        "difference": f"{np.abs(a - b).mean():.4f}" if both else "",
        "pages_tau_b": "" if np.isnan(tau) else f"{tau:.6f}",
    }


def _plain(value: str | bool) -> str | int:
    return int(value) if isinstance(value, bool) else value
