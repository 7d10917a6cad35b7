"""A measure's scores as a matrix of runs by topics, the input of statistics."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class ScoreTable:
    """Scores of one measure: `values` has a row per run and a column per topic, sorted by name."""

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    @classmethod
    def of(
        cls, measure: str, runs: Sequence[str], topics: Sequence[str], values: Floats
    ) -> "ScoreTable":
        """The table with its runs and topics sorted by name."""
        row, column = (sorted(range(len(n)), key=n.__getitem__) for n in (runs, topics))
        names = tuple(runs[i] for i in row), tuple(topics[i] for i in column)
        return cls(measure, *names, values[np.ix_(row, column)])


def read(path: Path) -> ScoreTable:
    """Read scores/<measure>.parquet; every run needs a finite score on every topic."""
    coded = ["run", "topic", "measure"]
    table = arrow.read(path, [*coded, "value"], codes=coded).combine_chunks()
    run, topic = table["run"].chunk(0), table["topic"].chunk(0)
    runs, topics = run.dictionary.to_pylist(), topic.dictionary.to_pylist()
    values = np.full((len(runs), len(topics)), np.nan)
    values[arrow.array(run.indices), arrow.array(topic.indices)] = arrow.array(table["value"])
    missing = np.argwhere(~np.isfinite(values))
    if len(values) == 0 or len(missing) or len(table) != values.size:
        what = "the file does not have one score per run and topic"
        if len(missing):
            run_, topic_ = runs[missing[0][0]], topics[missing[0][1]]
            what = f"run {run_!r} has no finite score on topic {topic_!r}"
        raise InputError(Problem(path, what, "delete the file and rerun the campaign"))
    return ScoreTable.of(table["measure"][0].as_py(), runs, topics, values)
