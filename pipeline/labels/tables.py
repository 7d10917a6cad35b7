"""Tables of labels: the judgements of one dimension with their gains.

A dimension declares its scale, which end is better, the threshold that makes a label binary, the
gain of each label, and the codes that mean "cannot judge". Labels of assessors and estimates end up
in the same table: topic, document, label, binary, gain. If judged by subtopic, a document has its
best label there, and lists of its label, binary value and gain in each subtopic of its topic.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.config.scale import Scale
from pipeline.labels import subtopics as by_subtopic
from pipeline.labels.judgements import Judgements, from_qrels
from pipeline.labels.qrels import read_qrels
from pipeline.storage import arrow
from pipeline.storage.text import natural

VALUES = ("label", "binary", "gain")
SCHEMA = pa.schema(  # null topic: the label holds for the document in every topic
    [(name, pa.string()) for name in ("topic", "document")]
    + [(name, pa.float64()) for name in VALUES]
)
EACH = "{}_by_subtopic"  # name of the list column that belongs to a column


def tabulate(
    files: Sequence[Path],
    *,
    scale: Scale,
    key: str = "topic",
    conflict: str = "error",
    subtopics: bool = False,
    intents: Path | None = None,
    out: Path | None = None,
) -> pa.Table:
    """Write the table of one dimension from its label files (see `judgements.from_qrels`).

    With `subtopics` the second column of the files is part of the key; `intents` is a file with the
    weights of subtopics.
    """
    if subtopics:
        judgements = by_subtopic.read(files, scale=scale, conflict=conflict, intents=intents)
    else:
        judgements = from_qrels(map(read_qrels, files), scale=scale, key=key, conflict=conflict)
    table = table_of(judgements)
    if out is not None:
        arrow.write(out, table)
    return table


def table_of(judgements: Judgements) -> pa.Table:
    """Judgements as a table, from assessors or from an estimate."""
    columns = [arrow.strings(judgements.topic), arrow.strings(judgements.document)]
    columns += [arrow.numbers(getattr(judgements, name)) for name in VALUES]
    table = pa.table(columns, schema=SCHEMA.with_metadata({"scale": json.dumps(judgements.scale)}))
    if not judgements.subtopics:
        return table
    ends = arrow.numbers(np.concatenate([[0], np.cumsum(judgements.size)]).astype(np.int32))
    for name, values in judgements.each.items():
        column = pa.ListArray.from_arrays(ends, arrow.numbers(values))
        table = table.append_column(EACH.format(name), column)
    subtopics = json.dumps(judgements.subtopics).encode()
    return table.replace_schema_metadata({**table.schema.metadata, b"subtopics": subtopics})


def judgements_in(table: pa.Table) -> Judgements:
    """The judgements in a table that `table_of` wrote."""
    subtopics = subtopics_of(table)
    size, each = np.zeros(0, np.int64), {}
    for name in VALUES if subtopics else ():
        column = table[EACH.format(name)].combine_chunks()
        ends = arrow.array(column.offsets).astype(np.int64)
        size, each[name] = np.diff(ends), arrow.array(column.values)[ends[0] : ends[-1]]
    lowest, highest, better = json.loads(table.schema.metadata[b"scale"])
    return Judgements(
        topic=table["topic"].to_pylist(),
        document=table["document"].to_pylist(),
        **{name: arrow.array(table[name]) for name in VALUES},
        scale=(lowest, highest, better),
        subtopics=subtopics,
        size=size,
        each=each,
    )


def read(path: Path) -> Judgements:
    """The judgements of a dimension from its table."""
    return judgements_in(arrow.read(path))


def subtopics_of(table: pa.Table) -> dict[str, dict[str, float | None]]:
    """The subtopics of each topic, with their weights; empty for a table without subtopics."""
    return dict(json.loads((table.schema.metadata or {}).get(b"subtopics", b"{}")))


def topics_of(labels: Path) -> list[str]:
    """The topics of a label table, in natural order."""
    return topics_in(arrow.read(labels, ["topic"]))


def topics_in(table: pa.Table) -> list[str]:
    """The topics of a label table in memory, in natural order."""
    topics = table["topic"].unique().to_pylist()
    return sorted((topic for topic in topics if topic is not None), key=natural)
