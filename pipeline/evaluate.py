"""Evaluate one measure over all runs and topics."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.files import atomic
from pipeline.gains import read as read_gains
from pipeline.measures import parse

NAMES = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("run", NAMES),
        ("topic", NAMES),
        ("measure", NAMES),
        ("value", pa.float64()),
        ("lower", pa.float64()),
        ("upper", pa.float64()),
    ]
)


def evaluate(
    measure: str,
    *,
    dimensions: Sequence[str],
    gains: Mapping[str, Path],
    unjudged: str,
    out: Path,
) -> None:
    """Score every run on every topic that counts; one tidy table, with bounds."""
    wanted = parse(measure, dimensions=dimensions)
    data = read_gains(gains, unjudged=unjudged)
    scores = wanted.scores(data)
    runs, topics = len(data.runs), len(data.topics)

    def coded(
        numbers: "np.ndarray[tuple[int], np.dtype[np.int64]]", names: Sequence[str]
    ) -> pa.Array:
        return pa.DictionaryArray.from_arrays(
            numbers.astype(np.int32), pa.array(names, pa.string())
        )

    table = pa.table(
        {
            "run": coded(np.repeat(np.arange(runs), topics), data.runs),
            "topic": coded(np.tile(np.arange(topics), runs), data.topics),
            "measure": coded(np.zeros(runs * topics, np.int64), [wanted.name]),
            "value": scores.value,
            "lower": scores.lower,
            "upper": scores.upper,
        },
        schema=SCHEMA,
    )
    with atomic(out) as draft:
        pq.write_table(table, draft)
