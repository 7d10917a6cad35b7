"""Means over topics: one row a run, one column a measure."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from pipeline.files import atomic


def team_of(run: str, pattern: str | None) -> str:
    """The team a run belongs to: group 1 of the campaign's pattern, or nobody's."""
    found = re.search(pattern, run) if pattern else None
    return found.group(1) if found else ""


def means(scores: Sequence[Path], *, out: Path, team: str | None) -> None:
    """Average each measure over the topics that count, which are the same for all of them."""
    columns: dict[str, list[float]] = {}
    runs: list[str] = []
    for path in scores:
        table = pq.ParquetFile(path, read_dictionary=["run", "topic", "measure"]).read()
        run = table["run"].chunk(0)
        names, numbers = run.dictionary.to_pylist(), run.indices.to_numpy()
        total = np.bincount(numbers, weights=table["value"].to_numpy(), minlength=len(names))
        mean = dict(zip(names, total / np.bincount(numbers, minlength=len(names)), strict=True))
        runs = runs or sorted(names)
        columns[table["measure"][0].as_py()] = [mean[name] for name in runs]
    with atomic(out) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", "team", *columns])
        for row, name in enumerate(runs):
            values = [repr(float(column[row])) for column in columns.values()]
            writer.writerow([name, team_of(name, team), *values])
