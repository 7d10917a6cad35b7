"""Labels: what assessors said about a document in one dimension, turned into gains.

A dimension declares its scale, which end is better, the threshold that makes a label binary, the
gain of each label, and the codes that mean "not able to judge". Whatever the source, a dimension
leaves this step as one table: topic, document, label, binary, gain. Judged by subtopic, a document
has its best label there, and beside it lists of what it is in each subtopic of its topic.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.labels import subtopics as by_subtopic
from pipeline.labels.judgements import read as read_judgements
from pipeline.labels.qrels import QRELS_LINE, read_qrels
from pipeline.labels.scale import Scale
from pipeline.labels.settling import check_scale
from pipeline.storage import arrow
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural, read_bytes

SCHEMA = pa.schema(
    [
        ("topic", pa.string()),  # null: the label holds for the document in every topic
        ("document", pa.string()),
        ("label", pa.float64()),
        ("binary", pa.float64()),
        ("gain", pa.float64()),
    ]
)
CONFLICTS = ("error", "first", "max", "mean")
EACH = "{}_by_subtopic"  # the list beside the column of that name


def label(
    files: Sequence[Path],
    *,
    out: Path,
    scale: Scale,
    key: str = "topic",
    conflict: str = "error",
    subtopics: bool = False,
    intents: Path | None = None,
) -> None:
    """Read the label files of one dimension and write its table."""
    table = tabulate(
        files, scale=scale, key=key, conflict=conflict, subtopics=subtopics, intents=intents
    )
    arrow.write(out, table)


def tabulate(
    files: Sequence[Path],
    *,
    scale: Scale,
    key: str = "topic",
    conflict: str = "error",
    subtopics: bool = False,
    intents: Path | None = None,
) -> pa.Table:
    """The table of one dimension from its label files (see `judgements.settled`).

    With `subtopics` the files' second column is part of the key, and `intents` may say how probable
    each subtopic is.
    """
    if subtopics:
        diverse = by_subtopic.read(files, scale=scale, conflict=conflict, intents=intents)
        return _diverse(diverse, scale)
    found = read_judgements(files, scale=scale, key=key, conflict=conflict)
    return _table(
        topic=found.topic,
        document=found.document,
        label=found.label,
        binary=found.binary,
        gain=found.gain,
        scale=found.scale,
    )


def _diverse(judged: by_subtopic.Judged, scale: Scale) -> pa.Table:
    """The table with a list a document of what it is in each subtopic of its topic."""
    table = _table(
        topic=judged.topic,
        document=judged.document,
        label=judged.label,
        binary=scale.binary(judged.label),
        gain=scale.gain(judged.label),
        scale=(scale.lowest, scale.highest, scale.better),
    )
    size = np.array([len(labels) for labels in judged.each], np.int32)
    ends = arrow.numbers(np.concatenate([[0], np.cumsum(size)]).astype(np.int32))
    flat = np.array([label for labels in judged.each for label in labels], float)
    parts = {"label": flat, "binary": scale.binary(flat), "gain": scale.gain(flat)}
    for name, values in parts.items():
        column = pa.ListArray.from_arrays(ends, arrow.numbers(values))
        table = table.append_column(EACH.format(name), column)
    known = {
        topic: {
            one: judged.weights[topic].get(one, 0.0) if judged.weights else None for one in all_
        }
        for topic, all_ in judged.subtopics.items()
    }
    return table.replace_schema_metadata(
        {**table.schema.metadata, b"subtopics": json.dumps(known).encode()}
    )


def subtopics_of(table: pa.Table) -> dict[str, dict[str, float | None]]:
    """The subtopics of each topic, with their weights if any were given; none of a plain table."""
    found: dict[str, dict[str, float | None]] = json.loads(
        (table.schema.metadata or {}).get(b"subtopics", b"{}")
    )
    return found


def by_each(table: pa.Table, kind: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The lists of a table judged by subtopic: how long each is, and all their values."""
    column = table[EACH.format(kind)].combine_chunks()
    ends = arrow.array(column.offsets).astype(np.int64)
    return np.diff(ends), arrow.array(column.values)[ends[0] : ends[-1]]


def binary_qrels(files: Sequence[Path], *, out: Path, scale: Scale) -> None:
    """Write label files as one binary qrels file, line for line: only the label changes.

    A line whose label means "not able to judge" is left out, for a qrels file has no word for it.
    """
    lines: list[bytes] = []
    for path in files:
        qrels = read_qrels(path)
        check_scale(qrels, scale)
        content = read_bytes(path, what="qrels", line=QRELS_LINE).split(b"\n")
        for number, value in zip(qrels.line, scale.binary(qrels.label).tolist(), strict=True):
            if value == value:
                line = content[number - 1].rstrip()
                kept = line[: len(line) - len(line.split()[-1])]
                lines.append(kept + str(int(value)).encode())
    with atomic(out) as draft:
        draft.write_bytes(b"".join(line + b"\n" for line in lines))


def write(
    out: Path,
    *,
    topic: Sequence[str | None],
    document: Sequence[str],
    label: NDArray[np.float64],
    binary: NDArray[np.float64],
    gain: NDArray[np.float64],
    scale: tuple[float, float, str],
) -> None:
    """Write a dimension's table, from assessors or from an estimate.

    `scale` is the lowest and the highest label and which end is better, for readings that need
    more than the two gains (relevance levels, exponential gain).
    """
    table = _table(
        topic=topic, document=document, label=label, binary=binary, gain=gain, scale=scale
    )
    arrow.write(out, table)


def _table(
    *,
    topic: Sequence[str | None],
    document: Sequence[str],
    label: NDArray[np.float64],
    binary: NDArray[np.float64],
    gain: NDArray[np.float64],
    scale: tuple[float, float, str],
) -> pa.Table:
    return pa.table(
        {
            "topic": arrow.strings(topic),
            "document": arrow.strings(document),
            "label": arrow.numbers(label),
            "binary": arrow.numbers(binary),
            "gain": arrow.numbers(gain),
        },
        schema=SCHEMA.with_metadata({"scale": json.dumps(scale)}),
    )


def scale_of(table: pa.Table) -> tuple[float, float, float]:
    """Lowest label, highest label, and 1 if high is better or -1, of a table that was read."""
    lowest, highest, better = json.loads(table.schema.metadata[b"scale"])
    return lowest, highest, -1.0 if better == "low" else 1.0


def topics_of(labels: Path) -> list[str]:
    """The topics of a label table, in natural order."""
    return topics_in(arrow.read(labels, ["topic"]))


def topics_in(table: pa.Table) -> list[str]:
    """The topics of a label table that was read, in natural order."""
    found = table["topic"].unique().to_pylist()
    return sorted((topic for topic in found if topic is not None), key=natural)
