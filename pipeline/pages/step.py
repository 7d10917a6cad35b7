"""The steps over a collection of pages: `cleanse` for each shard, then `merge`.

The same worker cleanses and counts a page, so text is written only if the config asks for it.
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
_NOTES = b"fathom.notes"  # warnings of the reader, in a shard's metadata
_ROWS = 1024


@dataclass(frozen=True, kw_only=True)
class Task:
    """Settings of cleansing and counting; called with a page, it returns the values of a row."""

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

        A page without words, or in another language, has NaN indices and a reason: that of
        cleansing, or `no words`.
        """
        counts, indices = (Counts(), {}) if reason else ENGINES[self.engine](text)
        reason = "" if counts.words else reason or "no words"
        stored = [text.encode("utf-8", errors="replace").decode()] if self.keep_text else []
        return *counts, *(indices.get(name, nan) for name in INDICES), reason, *stored

    @property
    def schema(self) -> pa.Schema:
        kinds = dict.fromkeys(["document", *Counts._fields], pa.int64())
        kinds |= dict.fromkeys(INDICES, pa.float64())
        kinds |= dict.fromkeys(("document", "reason", "text")[: 2 + self.keep_text], pa.string())
        return pa.schema(kinds)

    def table(self, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
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
    """Write one row per page to `out`, in order: counts, indices, reason, optionally the text.

    A page may take `seconds`. The reader adds warnings to `notes` while pages are read.
    """
    if task.method == "blocks":
        warn_if_not_compiled()
    task(b"<p>" + b"The parser and the dictionaries are loaded once, for all workers. " * 8)
    rows_of_pages = map_pages(task, pages, workers=threads, seconds=seconds)
    answers = with_progress(rows_of_pages, task="cleansing pages")
    with atomic(out) as draft, pq.ParquetWriter(draft, task.schema, compression="zstd") as writer:
        while rows := [
            (document, *(task.row("", values) if isinstance(values, str) else values))
            for document, values in islice(answers, _ROWS)
        ]:
            writer.write_table(task.table(rows))
        rows_of = [(str(note.where), note.what) for note in notes]
        writer.add_key_value_metadata({_NOTES: json.dumps(rows_of).encode()})


def merge(
    shards: Sequence[Path], *, out: Path, problems: Path, required: Collection[str] = ()
) -> None:
    """Concatenate the shards without text to `out`, in constant memory.

    Of several pages of a document, the first counts. `problems` lists the others (`duplicate`), the
    `required` documents without a page (`missing`) and the reader's warnings (`note`).
    """
    missing = set(required)
    all_keys = np.concatenate([np.empty(0, np.uint64), *map(_keys, shards)])
    first = np.zeros(len(all_keys), bool)
    first[np.unique(all_keys, return_index=True)[1]] = True
    columns = [name for name in pq.read_schema(shards[0]).names if name != "text"]
    rows: list[tuple[str, str, str]] = []
    at = 0
    with atomic(out) as draft, pq.ParquetWriter(draft, Task().schema) as writer:
        for shard in shards:
            file = pq.ParquetFile(shard)
            for batch in file.iter_batches(batch_size=1 << 14, columns=columns):
                keep = first[at : at + len(batch)]
                at += len(batch)
                documents = batch["document"].to_pylist()
                missing.difference_update(documents)
                rows += [
                    ("duplicate", documents[i], "has another page, which is used")
                    for i in np.flatnonzero(~keep)
                ]
                writer.write_batch(batch if keep.all() else batch.filter(pa.array(keep.tolist())))
            notes = json.loads((file.metadata.metadata or {}).get(_NOTES, b"[]"))
            rows += [("note", where, what) for where, what in notes]
    rows += [("missing", document, "has no page") for document in missing]
    sheets.write(problems, PROBLEMS, sorted(set(rows)))


def _keys(shard: Path) -> NDArray[np.uint64]:
    """Hash document ids to 8 bytes, so that millions of them fit in memory."""
    keys = bytearray()
    for batch in pq.ParquetFile(shard).iter_batches(_ROWS, columns=["document"]):
        for document in batch["document"].to_pylist():
            keys += hashlib.blake2b(document.encode(), digest_size=8).digest()
    return np.frombuffer(keys, np.uint64)


def read_text(shard: Path) -> Iterator[tuple[str, str]]:
    """Yield document and text of each page of a shard."""
    for batch in pq.ParquetFile(shard).iter_batches(_ROWS, columns=["document", "text"]):
        yield from zip(batch["document"].to_pylist(), batch["text"].to_pylist(), strict=True)


def required_documents(source: Path, *, depth: int) -> set[str]:
    """The documents whose pages a campaign needs: those in rankings to `depth`, or in pool.tsv."""
    if source.suffix == ".tsv":
        lines = source.read_text(encoding="utf-8").split("\n")[1:-1]
        return {line.split("\t")[1] for line in lines}
    table = arrow.read(source, ["rank", "document"], codes=["document"])
    column = table["document"].chunk(0)
    numbers = np.unique(arrow.array(column.indices)[arrow.array(table["rank"]) <= depth])
    return set(column.dictionary.take(arrow.numbers(numbers.astype(np.int64))).to_pylist())
