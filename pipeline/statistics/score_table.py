"""A measure's scores as a matrix of runs by topics, which is what statistics work on."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage import arrow


@dataclass(frozen=True)
class ScoreTable:
    """One measure: `values` has one row a run and one column a topic, both in order of name."""

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]


def read(path: Path) -> ScoreTable:
    """Read scores/<measure>.parquet, refusing one that misses a score."""
    table = arrow.read(
        path, ["run", "topic", "measure", "value"], codes=["run", "topic", "measure"]
    ).combine_chunks()
    runs, rows = _places(table["run"])
    topics, places = _places(table["topic"])
    values = np.full((len(runs), len(topics)), np.nan)
    values[rows, places] = arrow.array(table["value"])
    missing = np.argwhere(~np.isfinite(values))
    if len(values) == 0 or len(missing) or len(table) != values.size:
        where = f"run {runs[missing[0][0]]!r}, topic {topics[missing[0][1]]!r}" if runs else "runs"
        raise InputError(
            f"{path}: one finite score for each run and topic is needed, but {where} has not; "
            "make this file again."
        )
    return ScoreTable(table["measure"][0].as_py(), tuple(runs), tuple(topics), values)


def _places(column: object) -> tuple[list[str], NDArray[np.int64]]:
    """The names of a coded column in order, and the place of each row's name among them."""
    coded = column.chunk(0)  # type: ignore[attr-defined]
    names = coded.dictionary.to_pylist()
    order = np.argsort(np.array(names, dtype=object))
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    return [names[number] for number in order], place[arrow.array(coded.indices)]
