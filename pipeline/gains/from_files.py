"""Gains without a workflow: run files and labels in, everything in memory.

For notebooks and benchmarks:

    gains = read(files, labels={"topicality": tabulate([qrels], scale=...)})
    parse("nDCG@10", dimensions=["topicality"]).value(gains)

Each thread reads its share of the runs (the compiled reader lets the others go on meanwhile).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.gains.attach import attach
from pipeline.gains.dimension import Dimension
from pipeline.gains.gains import Gains
from pipeline.labels.tables import topics_in
from pipeline.runs.ingest import rank
from pipeline.runs.rankings import Rankings, arrange
from pipeline.runs.trec import run_name


def read(
    files: Sequence[Path],
    *,
    labels: Mapping[str, pa.Table],
    order: str = "score",
    depth: int = 1000,
    duplicates: str = "error",
    bad_scores: str = "error",
    form: str = "trec",
    threads: int = 2,
) -> Gains:
    """The gains of run files in every labelled dimension, over the topics of the first."""
    topics = topics_in(next(iter(labels.values())))
    paths = sorted(files, key=run_name)
    share = -(-len(paths) // threads)
    shares = [paths[start : start + share] for start in range(0, len(paths), share)]

    def part(mine: Sequence[Path]) -> tuple[Rankings, dict[str, Dimension]]:
        table, _, _ = rank(
            mine,
            order=order,
            depth=depth,
            duplicates=duplicates,
            bad_scores=bad_scores,
            form=form,
        )
        ranked = arrange(table.combine_chunks(), topics=topics)
        return ranked, {name: attach(ranked, labelled) for name, labelled in labels.items()}

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(part, shares))
    return joined(parts, topics=topics)


def joined(
    parts: Sequence[tuple[Rankings, Mapping[str, Dimension]]], *, topics: Sequence[str]
) -> Gains:
    """The shares of the runs put together."""
    runs = tuple(run for ranked, _ in parts for run in ranked.runs)
    depth = max(ranked.number.shape[1] for ranked, _ in parts)
    dimensions = {}
    for name, first in parts[0][1].items():
        codes = [
            np.pad(found[name].codes, ((0, 0), (0, depth - found[name].codes.shape[1])))
            for _, found in parts
        ]
        dimensions[name] = replace(first, codes=np.concatenate(codes))
    length = np.concatenate([ranked.length for ranked, _ in parts]).astype(np.int64)
    topic = np.tile(np.arange(len(topics)), len(runs))
    return Gains(runs, tuple(topics), topic, length, dimensions)
