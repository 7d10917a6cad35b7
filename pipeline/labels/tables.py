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

from pipeline.config.scale import Scale
from pipeline.labels import subtopics as by_subtopic
from pipeline.labels.judgements import Judgements, settled
from pipeline.labels.qrels import read_qrels
from pipeline.storage import arrow
from pipeline.storage.text import natural

VALUES = ("label", "binary", "gain")
SCHEMA = pa.schema(  # a topic that is null: the label holds for the document in every topic
    [(name, pa.string()) for name in ("topic", "document")]
    + [(name, pa.float64()) for name in VALUES]
)
EACH = "{}_by_subtopic"  # the list beside the column of that name


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
    """The table of one dimension from its label files (see `judgements.settled`), written to `out`.

    With `subtopics` the files' second column is part of the key, and `intents` may say how probable
    each subtopic is.
    """
    if subtopics:
        judged = by_subtopic.read(files, scale=scale, conflict=conflict, intents=intents)
    else:
        judged = settled(map(read_qrels, files), scale=scale, key=key, conflict=conflict)
    table = table_of(judged)
    if out is not None:
        arrow.write(out, table)
    return table


def table_of(judged: Judgements) -> pa.Table:
    """Judgements as a table, from assessors or from an estimate."""
    columns = [arrow.strings(judged.topic), arrow.strings(judged.document)]
    columns += [arrow.numbers(getattr(judged, name)) for name in VALUES]
    table = pa.table(columns, schema=SCHEMA.with_metadata({"scale": json.dumps(judged.scale)}))
    if not judged.subtopics:
        return table
    ends = arrow.numbers(np.concatenate([[0], np.cumsum(judged.size)]).astype(np.int32))
    for name, values in judged.each.items():
        column = pa.ListArray.from_arrays(ends, arrow.numbers(values))
        table = table.append_column(EACH.format(name), column)
    known = json.dumps(judged.subtopics).encode()
    return table.replace_schema_metadata({**table.schema.metadata, b"subtopics": known})


def judgements_in(table: pa.Table) -> Judgements:
    """What `table_of` made a table of."""
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
    """The subtopics of each topic, with their weights if any were given; none of a plain table."""
    known = (table.schema.metadata or {}).get(b"subtopics", b"{}")
    found: dict[str, dict[str, float | None]] = json.loads(known)
    return found


def topics_of(labels: Path) -> list[str]:
    """The topics of a label table, in natural order."""
    return topics_in(arrow.read(labels, ["topic"]))


def topics_in(table: pa.Table) -> list[str]:
    """The topics of a label table that was read, in natural order."""
    found = table["topic"].unique().to_pylist()
    return sorted((topic for topic in found if topic is not None), key=natural)
