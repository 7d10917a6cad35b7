"""Rankings: every run ranked once, under one named policy, for all measures.

The batches that `ingest` made are put together into `rankings.parquet`, whose document column is
dictionary-encoded: the document numbers the later steps work with. Nothing here knows how a run
file is read, so that the later steps do not depend on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage import arrow
from pipeline.storage.arrow import CODED, array
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural

DICTIONARIES = ["run", "topic", "document"]
SCHEMA = pa.schema(
    [
        ("run", CODED),
        ("topic", CODED),
        ("rank", pa.int32()),
        ("document", CODED),
        ("score", pa.float64()),
    ]
)


def merge(batches: Sequence[Path], *, out: Path) -> None:
    """Put the batches together: rows by run, topic and rank, one numbering of documents."""
    tables = [arrow.read(path, codes=DICTIONARIES) for path in batches]
    tables = [table for table in tables if table.num_rows]
    if not tables:
        raise InputError("runs.files: the run files hold no ranking; check the glob")
    whole = pa.concat_tables(tables).unify_dictionaries()
    stretches = [(run, whole.slice(first, size)) for run, first, size in _stretches(whole["run"])]
    stretches.sort(key=lambda stretch: stretch[0])
    write(pa.concat_tables([table for _, table in stretches]).combine_chunks(), out)


def _stretches(runs: pa.ChunkedArray) -> list[tuple[str, int, int]]:
    """Name, first row and number of rows of each run in a table sorted by run."""
    places = np.concatenate([array(chunk.indices) for chunk in runs.chunks])
    names_ = runs.chunk(0).dictionary.to_pylist()
    first = np.concatenate([[0], np.flatnonzero(np.diff(places)) + 1])
    sizes = np.diff([*first, len(places)])
    return [(names_[places[a]], a, n) for a, n in zip(first.tolist(), sizes.tolist(), strict=True)]


def write(table: pa.Table, out: Path) -> None:
    """Write rankings so that they come back with the same document numbers."""
    # One row group and no limit on the dictionary page keep the document numbers as they are.
    with atomic(out) as draft:
        pq.write_table(
            table,
            draft,
            compression="snappy",
            use_dictionary=[*DICTIONARIES, "rank"],
            dictionary_pagesize_limit=1 << 30,
            row_group_size=1 << 26,
            write_statistics=False,
        )


@dataclass(frozen=True)
class Rankings:
    """Rankings as arrays: one row a (run, topic), one column a rank, document numbers inside."""

    runs: list[str]
    topics: list[str]
    documents: pa.Array
    number: NDArray[np.int32]  # [run x topic, depth]; -1 beyond the end of a list
    length: NDArray[np.int32]  # [run x topic]
    score: NDArray[np.float64] | None  # as `number`; NaN beyond the end; read when asked for


def read(path: Path, *, topics: Sequence[str], scores: bool = False) -> Rankings:
    """Read `rankings.parquet` for the topics that count, in their order; other topics are left."""
    wanted = [*DICTIONARIES, *(["score"] if scores else [])]
    return arrange(arrow.read(path, wanted, codes=DICTIONARIES), topics=topics, scores=scores)


def arrange(table: pa.Table, *, topics: Sequence[str], scores: bool = False) -> Rankings:
    """Rankings in a table, each list in one stretch, as arrays."""
    run, topic, document = (table[name].chunk(0) for name in DICTIONARIES)
    runs: list[str] = run.dictionary.to_pylist()
    by_name = sorted(range(len(runs)), key=runs.__getitem__)
    run_place = np.argsort(by_name).astype(np.int64)
    where = {name: place for place, name in enumerate(topics)}
    topic_place = np.array([where.get(t, -1) for t in topic.dictionary.to_pylist()], np.int64)

    run_of, topic_of = array(run.indices), array(topic.indices)
    change = np.flatnonzero((np.diff(run_of) != 0) | (np.diff(topic_of) != 0)) + 1
    first = np.concatenate([[0], change])
    size = np.diff(np.concatenate([first, [len(run_of)]]))
    place = topic_place[topic_of[first]]
    counts = place >= 0
    first, size, place = first[counts], size[counts], place[counts]
    row = run_place[run_of[first]] * len(topics) + place

    rows, depth = len(runs) * len(topics), int(size.max(initial=0))
    length = np.zeros(rows, np.int32)
    length[row] = size
    number = np.full((rows, depth), -1, np.int32)
    score = np.full((rows, depth), np.nan) if scores else None
    documents = array(document.indices)
    values = array(table["score"]) if scores else None
    for r, a, n in zip(row.tolist(), first.tolist(), size.tolist(), strict=True):
        number[r, :n] = documents[a : a + n]
        if score is not None and values is not None:
            score[r, :n] = values[a : a + n]
    return Rankings(sorted(runs), list(topics), document.dictionary, number, length, score)


def topics_of(path: Path) -> list[str]:
    """Every topic any run answered, in natural order."""
    topics: list[str] = (
        arrow.read(path, ["topic"], codes=["topic"])["topic"].chunk(0).dictionary.to_pylist()
    )
    return sorted(topics, key=natural)
