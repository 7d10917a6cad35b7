"""Label files as assessors' tools write them: TREC qrels."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage.text import cut, number, read_fields

QRELS_LINE = "topic 0 document label"


@dataclass(frozen=True)
class Qrels:
    """The lines of one label file, in its order."""

    path: Path
    topic: list[str]
    second: list[str]  # a column nobody reads, or the subtopic
    document: list[str]
    label: NDArray[np.float64]
    line: list[int]


def read_qrels(path: Path) -> Qrels:
    """Read a label file: topic, a column for subtopics, document, label."""
    topics: list[str] = []
    seconds: list[str] = []
    documents: list[str] = []
    labels: list[float] = []
    lines: list[int] = []
    for line, fields in read_fields(path, what="qrels", line=QRELS_LINE):
        if len(fields) != 4:
            raise InputError(
                f"{path}, line {line}: {len(fields)} fields where a qrels line has 4 "
                f"('{QRELS_LINE}'); correct the line"
            )
        label = number(fields[3])
        if np.isnan(label):
            raise InputError(
                f"{path}, line {line}: the label '{cut(fields[3])}' is not a number; correct it"
            )
        topics.append(fields[0])
        seconds.append(fields[1])
        documents.append(fields[2])
        labels.append(label)
        lines.append(line)
    return Qrels(path, topics, seconds, documents, np.array(labels), lines)
