"""The step: the counts and indices of every page that has text."""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.engine import ENGINES, Engine
from pipeline.pages.readability.index import INDICES
from pipeline.storage.atomic import atomic


def estimate(text: Path, *, out: Path, engine: str = "fathom") -> None:
    """Write the counts and indices of every document of a text.parquet to `out`.

    A document without words keeps its row, with NaN indices and the reason: the one cleansing
    gave, or `no words`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if engine not in ENGINES:
        raise InputError(ENGINES.unknown(engine))
    needed = ["document", "text", "reason"]
    try:
        source = pq.ParquetFile(text)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{text}: not a readable parquet file; run cleansing again.") from error
    if missing := [name for name in needed if name not in source.schema_arrow.names]:
        raise InputError(f"{text}: the column {missing[0]} is missing; run cleansing again.")
    measured = ENGINES[engine]
    with atomic(out) as draft, pq.ParquetWriter(draft, _schema()) as writer:
        for batch in source.iter_batches(batch_size=1024, columns=needed):
            given = zip(*(batch[name].to_pylist() for name in needed), strict=True)
            writer.write_table(_table(list(_rows(given, measured))))


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [("document", pa.string())]
        + [(name, pa.int64()) for name in Counts._fields]
        + [(name, pa.float64()) for name in INDICES]
        + [("reason", pa.string())]
    )


def _rows(given: Iterator[tuple[str, str, str]], measured: Engine) -> Iterator[tuple[Any, ...]]:
    for document, text, reason in given:
        counts, found = measured(text)
        why = "" if counts.words else reason or "no words"
        yield document, *counts, *(found.get(name, nan) for name in INDICES), why


def _table(rows: Sequence[tuple[Any, ...]]) -> Any:
    import numpy as np
    import pyarrow as pa

    from pipeline.storage import arrow

    schema = _schema()
    made = [
        arrow.strings(values)
        if field.type == pa.string()
        else arrow.numbers(np.array(values, field.type.to_pandas_dtype()))
        for field, values in zip(schema, zip(*rows, strict=True), strict=True)
    ]
    return pa.table(made, schema=schema)
