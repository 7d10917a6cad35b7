"""Conversion between Arrow columns and numpy arrays, and Parquet files, without importing pandas.

`pa.array` and `to_numpy` import pandas if it is installed, which costs a job half a second. Working
on the buffers avoids that and copies nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.storage.arrays import Bools
from pipeline.storage.atomic import atomic

TYPES = {"f8": pa.float64(), "i8": pa.int64(), "i4": pa.int32()}
CODED = pa.dictionary(pa.int32(), pa.string())


def numbers(values: NDArray[Any], *, blanks: bool = False) -> pa.Array:
    """A numpy array as an Arrow array over the same memory; with `blanks`, NaN becomes null."""
    values = np.ascontiguousarray(values)
    kind = TYPES[values.dtype.str[1:]]
    valid = _valid(~np.isnan(values)) if blanks else None
    return pa.Array.from_buffers(kind, len(values), [valid, pa.py_buffer(values)])


def _valid(present: Sequence[bool] | Bools) -> pa.Buffer | None:
    return None if np.all(present) else pa.py_buffer(np.packbits(present, bitorder="little"))


def strings(values: Sequence[str | None]) -> pa.Array:
    """Strings as an Arrow array; None becomes null."""
    parts = [(value or "").encode() for value in values]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return text(offsets, b"".join(parts), valid=_valid([value is not None for value in values]))


def text(offsets: NDArray[np.int64], content: bytes, *, valid: pa.Buffer | None = None) -> pa.Array:
    """A column of strings from offsets into their joined UTF-8 bytes."""
    if len(content) >= 2**31:
        raise pa.ArrowInvalid("more than 2 GB of text in one column")
    # 32-bit offsets from the start: a cast would import pyarrow.compute.
    starts = pa.py_buffer(np.ascontiguousarray(offsets, np.int32))
    return pa.StringArray.from_buffers(len(offsets) - 1, starts, pa.py_buffer(content), valid)


def coded(places: NDArray[Any], names: Sequence[str] | pa.Array) -> pa.DictionaryArray:
    """A dictionary-encoded column: each value of `places` is an index into `names`."""
    dictionary = names if isinstance(names, pa.Array) else strings(names)
    return pa.DictionaryArray.from_arrays(numbers(places.astype(np.int32, copy=False)), dictionary)


def array(column: pa.Array | pa.ChunkedArray, *, missing: float | None = None) -> NDArray[Any]:
    """The values of a numeric column; nulls become `missing`."""
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    dtype = next(name for name, kind in TYPES.items() if kind == column.type)
    rows = slice(column.offset, column.offset + len(column))
    valid, content = column.buffers()
    values: NDArray[Any] = np.frombuffer(content or b"", dtype, rows.stop)[rows]
    if column.null_count and missing is not None:
        present = np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little")[rows]
        values = np.where(present, values, missing).astype(dtype)
    return values


def read(
    path: Path, columns: Sequence[str] | None = None, *, codes: Sequence[str] = ()
) -> pa.Table:
    """Read a Parquet file; the columns `codes` stay dictionary-encoded, in one chunk."""
    file = pq.ParquetFile(path, read_dictionary=list(codes), memory_map=True)
    for name in columns or ():
        if name not in file.schema_arrow.names:  # pyarrow would silently omit it
            raise pa.ArrowInvalid(f"{path} has no column {name}")
    return file.read(columns)


def write(
    path: Path, columns: Mapping[str, pa.Array] | pa.Table, *, schema: pa.Schema | None = None
) -> None:
    """Write a Parquet file atomically, with the metadata of the schema."""
    table = columns if isinstance(columns, pa.Table) else pa.table(dict(columns), schema=schema)
    with atomic(path) as draft:
        pq.write_table(table, draft)
