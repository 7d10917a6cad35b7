"""A measure's scores as a matrix of runs by topics, which is what statistics work on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class ScoreTable:
    """One measure: `values` has one row per run and one column per topic, both in order of name."""

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    @classmethod
    def of(
        cls, measure: str, runs: Sequence[str], topics: Sequence[str], values: Floats
    ) -> "ScoreTable":
        """The table, its runs and topics put in order of name."""
        row, column = (sorted(range(len(n)), key=n.__getitem__) for n in (runs, topics))
        names = tuple(runs[i] for i in row), tuple(topics[i] for i in column)
        return cls(measure, *names, values[np.ix_(row, column)])


def read(path: Path) -> ScoreTable:
    """Read scores/<measure>.parquet, refusing one that misses a score."""
    table = arrow.read(
        path, ["run", "topic", "measure", "value"], codes=["run", "topic", "measure"]
    ).combine_chunks()
    run, topic = table["run"].chunk(0), table["topic"].chunk(0)
    runs, topics = run.dictionary.to_pylist(), topic.dictionary.to_pylist()
    values = np.full((len(runs), len(topics)), np.nan)
    values[arrow.array(run.indices), arrow.array(topic.indices)] = arrow.array(table["value"])
    missing = np.argwhere(~np.isfinite(values))
    if len(values) == 0 or len(missing) or len(table) != values.size:
        where = f"run {runs[missing[0][0]]!r}, topic {topics[missing[0][1]]!r}" if runs else "runs"
        what = f"one finite score for each run and topic is needed, but {where} has not"
        raise InputError(Problem(path, what, "rebuild this file"))
    return ScoreTable.of(table["measure"][0].as_py(), runs, topics, values)
