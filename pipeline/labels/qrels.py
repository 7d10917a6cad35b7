"""Label files as assessors' tools write them: TREC qrels."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage.text import read_fields

QRELS_LINE = "topic 0 document label"


@dataclass(frozen=True)
class Qrels:
    """The lines of one label file, in its order."""

    path: Path
    topic: list[str]
    document: list[str]
    label: NDArray[np.float64]
    line: list[int]


def read_qrels(path: Path) -> Qrels:
    """Read a label file: topic, a column nobody reads, document, label."""
    topics: list[str] = []
    documents: list[str] = []
    labels: list[float] = []
    lines: list[int] = []
    for number, fields in read_fields(path, what="qrels", line=QRELS_LINE):
        if len(fields) != 4:
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields where a qrels line has 4 "
                f"('{QRELS_LINE}'); correct the line"
            )
        try:
            label = float(fields[3])
        except ValueError:
            label = float("nan")
        if not np.isfinite(label) or "_" in fields[3]:
            raise InputError(
                f"{path}, line {number}: the label '{fields[3]}' is not a number; correct it"
            )
        topics.append(fields[0])
        documents.append(fields[2])
        labels.append(label)
        lines.append(number)
    return Qrels(path, topics, documents, np.array(labels), lines)
