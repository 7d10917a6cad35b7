"""Pooling: which documents assessors should judge."""

import csv
from pathlib import Path

import numpy as np

from pipeline.files import atomic
from pipeline.rankings import read as read_rankings
from pipeline.rankings import topics_of


def pool(rankings: Path, *, depth: int, out: Path) -> None:
    """depth@k: per topic the union of every run's first k documents.

    For each, how many runs hold it that high and the best rank it got.
    """
    topics = topics_of(rankings)
    ranked = read_rankings(rankings, topics=topics)
    top = ranked.number[:, :depth]
    topic = np.repeat(np.tile(np.arange(len(topics)), len(ranked.runs)), top.shape[1])
    rank = np.tile(np.arange(1, top.shape[1] + 1), len(top))
    there = top.ravel() >= 0
    topic, rank, document = topic[there], rank[there], top.ravel()[there]
    pairs, place, runs = np.unique(
        topic * np.int64(len(ranked.documents)) + document, return_inverse=True, return_counts=True
    )
    best = np.full(len(pairs), np.iinfo(np.int64).max)
    np.minimum.at(best, place, rank)
    names = ranked.documents.take(pairs % len(ranked.documents)).to_pylist()
    rows = [
        (topics[t], name, n, b)
        for t, name, n, b in zip(
            (pairs // len(ranked.documents)).tolist(),
            names,
            runs.tolist(),
            best.tolist(),
            strict=True,
        )
    ]
    order = {topic: place for place, topic in enumerate(topics)}
    rows.sort(key=lambda row: (order[row[0]], row[1]))
    with atomic(out) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(
            file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
        )
        writer.writerow(["topic", "document", "runs", "best_rank"])
        writer.writerows(rows)
