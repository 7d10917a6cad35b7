"""Evaluate one measure over all runs and topics."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline import columns
from pipeline.columns import CODED, coded, numbers
from pipeline.gains import read as read_gains
from pipeline.measures import parse

SCHEMA = pa.schema(
    [
        ("run", CODED),
        ("topic", CODED),
        ("measure", CODED),
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

    columns.write(
        out,
        {
            "run": coded(np.repeat(np.arange(runs), topics), data.runs),
            "topic": coded(np.tile(np.arange(topics), runs), data.topics),
            "measure": coded(np.zeros(runs * topics), [wanted.name]),
            "value": numbers(scores.value),
            "lower": numbers(scores.lower),
            "upper": numbers(scores.upper),
        },
        schema=SCHEMA,
    )
