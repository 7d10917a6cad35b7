"""Label files as assessors' tools write them: TREC qrels."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage.text import LONGEST, cut, fields_of, read_bytes
from pipeline.storage.text import number as text_number

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
    content = read_bytes(path, what="qrels", line=QRELS_LINE, comments=True)
    found = _plain(path, content)
    return _careful(path, content) if found is None else found


def _plain(path: Path, content: bytes) -> Qrels | None:
    """A file with four fields in every line and nothing odd, column by column; else None."""
    lines = content.split(b"\n")
    rows = [line.split() for line in lines]
    number = [*range(1, len(rows) + 1)]
    if not all(rows):  # blank lines, and what is behind the last line end
        number = [at for at, row in zip(number, rows, strict=True) if row]
        rows = [row for row in rows if row]
    if b"\0" in content or set(map(len, rows)) != {4} or max(map(len, lines)) > LONGEST:
        return None
    try:
        topic, second, document, label = (
            b"\n".join(column).decode().split("\n") for column in zip(*rows, strict=True)
        )
    except UnicodeDecodeError:
        return None
    values = {text: text_number(text) for text in set(label)}  # few labels are distinct
    if any(math.isnan(value) for value in values.values()):
        return None
    return Qrels(path, topic, second, document, np.array([values[text] for text in label]), number)


def _careful(path: Path, content: bytes) -> Qrels:
    """The same line by line; what is wrong is told with its line."""
    topics: list[str] = []
    seconds: list[str] = []
    documents: list[str] = []
    labels: list[float] = []
    lines: list[int] = []
    for line, fields in fields_of(path, content, what="qrels"):
        if len(fields) != 4:
            run = len(fields) == 6 and not np.isnan(text_number(fields[4]))  # its score
            fix = "this is a line of a run, so name the label file" if run else "correct the line"
            raise InputError(
                f"{path}, line {line}: {len(fields)} fields where a qrels line has 4 "
                f"('{QRELS_LINE}'); {fix}"
            )
        label = text_number(fields[3])
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
