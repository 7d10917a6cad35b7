"""Label files in the TREC qrels format."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.storage.text import LONGEST, cut, fields_of, read_bytes
from pipeline.storage.text import number as text_number

QRELS_LINE = "topic 0 document label"


@dataclass(frozen=True)
class Qrels:
    """The lines of one label file, in its order."""

    path: Path
    topic: list[str]
    second: list[str]  # unused, or the subtopic
    document: list[str]
    label: NDArray[np.float64]
    line: list[int]


def read_qrels(path: Path) -> Qrels:
    """Read a label file: topic, a column for subtopics, document, label."""
    content = read_bytes(path, what="qrels", line=QRELS_LINE, comments=True)
    lines = content.split(b"\n")
    rows = [line.split() for line in lines]
    number = [*range(1, len(rows) + 1)]
    if not all(rows):  # blank lines, also after the last line end
        number = [line for line, row in zip(number, rows, strict=True) if row]
        rows = [row for row in rows if row]
    if b"\0" in content or set(map(len, rows)) != {4} or max(map(len, lines)) > LONGEST:
        _refuse(path, content)
    try:
        topic, second, document, label = (
            b"\n".join(column).decode().split("\n") for column in zip(*rows, strict=True)
        )
    except UnicodeDecodeError:
        _refuse(path, content)
        raise
    values = {text: text_number(text) for text in set(label)}  # few labels are distinct
    if any(math.isnan(value) for value in values.values()):
        _refuse(path, content)
    return Qrels(path, topic, second, document, np.array([values[text] for text in label]), number)


def _refuse(path: Path, content: bytes) -> None:
    """Raise the first fault, with its line; a long line may have none."""
    for line, fields in fields_of(path, content, what="qrels"):
        if len(fields) != 4:
            is_run = len(fields) == 6 and not math.isnan(text_number(fields[4]))  # its score
            fix = "this is a run line: name the label file" if is_run else "correct the line"
            what = f"{len(fields)} fields where a qrels line has 4 ('{QRELS_LINE}')"
            raise InputError(Problem(path, what, fix, line=line))
        if math.isnan(text_number(fields[3])):
            what = f"the label '{cut(fields[3])}' is not a number"
            raise InputError(Problem(path, what, "correct it", line=line))
