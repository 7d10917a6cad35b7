"""What each run showed first, with the labels of every dimension, for the drill-down."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.storage import arrow

Shown = list[list[list[int]]]  # numbers of documents by topic and run


def read_lists(
    top_documents: Path,
    *,
    labels: Mapping[str, Path],
    runs: Sequence[str],
    topics: Sequence[str],
) -> dict[str, Any]:
    """The first documents of every run on every topic, each document's labels once for a topic.

    `labels` maps a dimension to its table. A topic has its documents, for each dimension their
    labels as written (null: not judged) and gains in hundredths, and for each run the numbers of
    the documents it put first.
    """
    found, shown = _first(top_documents, runs=runs, topics=topics)
    judged = {name: read_labels(path) for name, path in labels.items()}
    return {
        "dimensions": list(judged),
        "topics": [
            {
                "documents": documents,
                "labels": [
                    [label_of(known, topic, document, 0) for document in documents]
                    for known in judged.values()
                ],
                "gains": [
                    [label_of(known, topic, document, 1) for document in documents]
                    for known in judged.values()
                ],
                "runs": lists,
            }
            for topic, documents, lists in zip(topics, found, shown, strict=True)
        ],
    }


def _first(
    path: Path, *, runs: Sequence[str], topics: Sequence[str]
) -> tuple[list[list[str]], Shown]:
    """The documents of each topic, and for each topic and run which of them it put first."""
    table = arrow.read(path, codes=["run", "topic", "document"]).combine_chunks()
    names, place = {}, {}
    for name in ("run", "topic", "document"):
        coded = table[name].chunk(0)
        names[name], place[name] = coded.dictionary.to_pylist(), arrow.array(coded.indices)
    run_at = {run: number for number, run in enumerate(runs)}
    topic_at = {topic: number for number, topic in enumerate(topics)}
    found: list[dict[str, int]] = [{} for _ in topics]  # document -> its number in the topic
    shown: Shown = [[[] for _ in runs] for _ in topics]
    for run, topic, document in zip(
        place["run"].tolist(), place["topic"].tolist(), place["document"].tolist(), strict=True
    ):
        row = run_at.get(names["run"][run])
        column = topic_at.get(names["topic"][topic])
        if row is None or column is None:
            continue
        known = found[column]
        shown[column][row].append(known.setdefault(names["document"][document], len(known)))
    return [list(known) for known in found], shown


Labels = dict[tuple[str | None, str], tuple[float, int]]


def read_labels(path: Path) -> Labels:
    """Label and gain (in hundredths) by topic and document, or by document alone; judged only."""
    table = arrow.read(path, ["topic", "document", "label", "gain"])
    label, gain = (arrow.array(table[name], missing=np.nan) for name in ("label", "gain"))
    topics, documents = table["topic"].to_pylist(), table["document"].to_pylist()
    return {
        (topic, document): (float(f"{written:.4g}"), round(100 * worth))
        for topic, document, written, worth in zip(
            topics, documents, label.tolist(), gain.tolist(), strict=True
        )
        if np.isfinite(worth) and np.isfinite(written)
    }


def label_of(known: Labels, topic: str, document: str, which: int) -> float | int | None:
    """Label (0) or gain (1) of a document: by topic, else by document alone; None: not judged."""
    found = known.get((topic, document)) or known.get((None, document))
    if found is None:
        return None
    value = found[which]
    return int(value) if value == int(value) else value
