"""The first documents of every run and topic, taken out of the rankings.

The report shows them side by side. They are a file of their own because the rankings are a hundred
times as long, and labels change more often than runs.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.storage import arrow

NAMES = ("run", "topic", "document")


def take(rankings: Path, *, out: Path, depth: int = 10) -> None:
    """Write run, topic, rank, document of the first `depth` documents, in the rankings' order."""
    # Batch by batch: the rankings of a large campaign need not fit into memory.
    file = pq.ParquetFile(rankings, read_dictionary=list(NAMES), memory_map=True)
    parts: list[pa.RecordBatch] = []
    for batch in file.iter_batches(1 << 20, columns=["run", "topic", "rank", "document"]):
        first = np.flatnonzero(arrow.array(batch.column("rank")) <= depth)
        parts.append(_sharing(batch.take(arrow.numbers(first)), parts[-1] if parts else None))
    schema = pa.schema([("run", arrow.CODED), ("topic", arrow.CODED)])
    schema = schema.append(pa.field("rank", pa.int32())).append(pa.field("document", arrow.CODED))
    table = pa.Table.from_batches(parts) if parts else schema.empty_table()
    arrow.write(out, table.unify_dictionaries())


def _sharing(batch: pa.RecordBatch, last: pa.RecordBatch | None) -> pa.RecordBatch:
    """The batch with the dictionaries of the last where they are equal: each may have millions."""
    columns = batch.columns
    for place, name in enumerate(batch.schema.names):
        if name in NAMES and last is not None:
            known = last.column(name).dictionary
            if columns[place].dictionary.equals(known):
                columns[place] = pa.DictionaryArray.from_arrays(columns[place].indices, known)
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)
