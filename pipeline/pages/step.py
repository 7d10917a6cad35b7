"""The steps over a collection of pages: `cleanse` for each shard, `merge` for all of them.

A page is cleansed and counted by the same worker, so that its text is only kept where asked for.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.errors import Problem
from pipeline.pages.cleanse import clean
from pipeline.pages.cleanse.methods.blocks import warn_if_not_compiled
from pipeline.pages.cleanse.workers import Page, map_pages
from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import ENGINES, INDICES
from pipeline.storage import arrow, sheets
from pipeline.storage.atomic import atomic
from pipeline.storage.progress import with_progress

PROBLEMS = ("kind", "where", "what")  # the columns of pages/problems.csv
_NOTES = b"fathom.notes"  # the reader's warnings, in the metadata of a shard
_ROWS = 1024


@dataclass(frozen=True, kw_only=True)
class Task:
    """How pages become text and counts; called with a page it gives the values of its row."""

    method: str = "blocks"
    sentence_ends: bool = True
    language: str | None = None
    engine: str = "fathom"
    keep_text: bool = False

    def __call__(self, page: bytes) -> tuple[Any, ...]:
        ends, language = self.sentence_ends, self.language
        return self.row(*clean(page, method=self.method, sentence_ends=ends, language=language))

    def row(self, text: str, reason: str) -> tuple[Any, ...]:
        """The values of a page's row.

        A page without words has NaN indices and a reason: the one cleansing gave, or `no words`. So
        has a page whose text is not counted, because it is in another language.
        """
        counts, found = (Counts(), {}) if reason else ENGINES[self.engine](text)
        why = "" if counts.words else reason or "no words"
        kept = [text.encode("utf-8", errors="replace").decode()] if self.keep_text else []
        return *counts, *(found.get(name, nan) for name in INDICES), why, *kept

    @property
    def schema(self) -> pa.Schema:
        """The columns of a shard."""
        kinds = dict.fromkeys(["document", *Counts._fields], pa.int64())
        kinds |= dict.fromkeys(INDICES, pa.float64())
        kinds |= dict.fromkeys(("document", "reason", "text")[: 2 + self.keep_text], pa.string())
        return pa.schema(kinds)

    def table(self, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
        """Rows of document and values as a table."""
        columns = [
            arrow.strings(values)
            if field.type == pa.string()
            else arrow.numbers(np.array(values, field.type.to_pandas_dtype()))
            for field, values in zip(self.schema, zip(*rows, strict=True), strict=True)
        ]
        return pa.table(columns, schema=self.schema)


def cleanse(
    pages: Iterable[Page],
    *,
    out: Path,
    task: Task,
    notes: Sequence[Problem] = (),
    threads: int = 1,
    seconds: float = 10.0,
) -> None:
    """Write one row per page to `out`, in their order: counts, indices, reason, text if kept.

    A page takes at most `seconds`. `notes` are the reader's, and may grow while pages are read.
    """
    if task.method == "blocks":
        warn_if_not_compiled()
    task(b"<p>" + b"The parser and the dictionaries are loaded once, for all workers. " * 8)
    answers = with_progress(
        map_pages(task, pages, workers=threads, seconds=seconds), task="cleansing pages"
    )
    with atomic(out) as draft, pq.ParquetWriter(draft, task.schema, compression="zstd") as writer:
        while rows := [
            (document, *(task.row("", values) if isinstance(values, str) else values))
            for document, values in islice(answers, _ROWS)
        ]:
            writer.write_table(task.table(rows))
        kept = [(str(note.where), note.what) for note in notes]
        writer.add_key_value_metadata({_NOTES: json.dumps(kept).encode()})


def merge(
    shards: Sequence[Path], *, out: Path, problems: Path, wanted: Collection[str] = ()
) -> None:
    """Write the shards one after the other to `out`, without text, in flat memory.

    Of a document with several pages the first counts. `problems` lists the others (`duplicate`),
    the `wanted` documents without a page (`missing`) and what the reader noted (`note`).
    """
    missing = set(wanted)
    keys = [_keys(shard) for shard in shards]
    every = np.concatenate([np.empty(0, np.uint64), *keys])
    first = np.zeros(len(every), bool)
    first[np.unique(every, return_index=True)[1]] = True
    columns = [name for name in pq.read_schema(shards[0]).names if name != "text"]
    rows: list[tuple[str, str, str]] = []
    at = 0
    with atomic(out) as draft, pq.ParquetWriter(draft, Task().schema) as writer:
        for shard in shards:
            file = pq.ParquetFile(shard)
            for batch in file.iter_batches(batch_size=1 << 14, columns=columns):
                kept = first[at : at + len(batch)]
                at += len(batch)
                documents = batch["document"].to_pylist()
                missing.difference_update(documents)
                rows += [
                    ("duplicate", documents[i], "has another page, which counts")
                    for i in np.flatnonzero(~kept)
                ]
                writer.write_batch(batch if kept.all() else batch.filter(pa.array(kept.tolist())))
            notes = json.loads((file.metadata.metadata or {}).get(_NOTES, b"[]"))
            rows += [("note", where, what) for where, what in notes]
    rows += [("missing", document, "has no page") for document in missing]
    sheets.write(problems, PROBLEMS, sorted(set(rows)))


def _keys(shard: Path) -> NDArray[np.uint64]:
    """Eight bytes for each document id, so that a million of them fit in memory with ease."""
    keys = bytearray()
    for batch in pq.ParquetFile(shard).iter_batches(_ROWS, columns=["document"]):
        for document in batch["document"].to_pylist():
            keys += hashlib.blake2b(document.encode(), digest_size=8).digest()
    return np.frombuffer(keys, np.uint64)


def read_text(shard: Path) -> Iterator[tuple[str, str]]:
    """Document and text of each page of a shard that kept its text."""
    for batch in pq.ParquetFile(shard).iter_batches(_ROWS, columns=["document", "text"]):
        yield from zip(batch["document"].to_pylist(), batch["text"].to_pylist(), strict=True)


def required_documents(source: Path, *, depth: int) -> set[str]:
    """The documents whose pages a campaign needs: in rankings down to `depth`, or in pool.tsv."""
    if source.suffix == ".tsv":
        lines = source.read_text(encoding="utf-8").split("\n")[1:-1]
        return {line.split("\t")[1] for line in lines}
    table = arrow.read(source, ["rank", "document"], codes=["document"])
    column = table["document"].chunk(0)
    numbers = np.unique(arrow.array(column.indices)[arrow.array(table["rank"]) <= depth])
    return set(column.dictionary.take(arrow.numbers(numbers.astype(np.int64))).to_pylist())
