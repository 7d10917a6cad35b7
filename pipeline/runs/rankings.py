"""Rankings: every run ranked once, under one named policy, for all measures.

The batches that `ingest` made are put together into `rankings.parquet`, whose document column is
dictionary-encoded: the document numbers the later steps work with. Nothing here knows how a run
file is read, so that the later steps do not depend on it.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    batches = [path for path in batches if arrow.rows_in(path)]
    if not batches:
        raise InputError("runs.files: the run files hold no ranking; check the glob")
    if len(batches) == 1:  # its runs are in order
        with atomic(out) as draft:
            shutil.copyfile(batches[0], draft)
        return
    tables = [arrow.read(path, codes=DICTIONARIES) for path in batches]
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


def read_scores(path: Path, *, topics: Sequence[str]) -> NDArray[np.float64]:
    """The systems' own scores alone, as `Rankings.score`: no document is looked at."""
    wanted = ["run", "topic", "score"]
    table = arrow.read(path, wanted, codes=wanted[:2])
    return _lists(table, topics=topics).filled(array(table["score"]), np.nan)


def arrange(table: pa.Table, *, topics: Sequence[str], scores: bool = False) -> Rankings:
    """Rankings in a table, each list in one stretch, as arrays."""
    found, document = _lists(table, topics=topics), table["document"].chunk(0)
    return Rankings(
        runs=sorted(found.runs),
        topics=list(topics),
        documents=document.dictionary,
        number=found.filled(array(document.indices), np.int32(-1)),
        length=found.length,
        score=found.filled(array(table["score"]), np.nan) if scores else None,
    )


@dataclass(frozen=True)
class _Lists:
    """Where the lists of a table are, and where they go."""

    runs: list[str]
    length: NDArray[np.int32]  # [run x topic]
    row: list[int]  # of each list, where it goes
    first: list[int]  # its first row in the table
    size: list[int]

    def filled(self, values: NDArray[Any], nothing: Any) -> NDArray[Any]:
        """[run x topic, rank]: a column of the table; `nothing` beyond the end of a list."""
        table = np.full((len(self.length), max(self.size, default=0)), nothing)
        for row, first, size in zip(self.row, self.first, self.size, strict=True):
            table[row, :size] = values[first : first + size]
        return table


def _lists(table: pa.Table, *, topics: Sequence[str]) -> _Lists:
    run, topic = (table[name].chunk(0) for name in ("run", "topic"))
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
    length = np.zeros(len(runs) * len(topics), np.int32)
    length[row] = size
    return _Lists(runs, length, row.tolist(), first.tolist(), size.tolist())


def topics_of(path: Path) -> list[str]:
    """Every topic any run answered, in natural order."""
    topics: list[str] = (
        arrow.read(path, ["topic"], codes=["topic"])["topic"].chunk(0).dictionary.to_pylist()
    )
    return sorted(topics, key=natural)
