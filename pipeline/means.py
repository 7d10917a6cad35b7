"""Means over topics: one row a run, one column a measure."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pipeline import columns
from pipeline.files import atomic
from pipeline.trec import team as team_of


def means(scores: Sequence[Path], *, out: Path, team: str | None) -> None:
    """Average each measure over the topics that count, which are the same for all of them."""
    averages: dict[str, list[float]] = {}
    runs: list[str] = []
    for path in scores:
        table = columns.read(path, codes=["run", "measure"])
        run = table["run"].chunk(0)
        names, numbers = run.dictionary.to_pylist(), columns.array(run.indices)
        total = np.bincount(numbers, weights=columns.array(table["value"]), minlength=len(names))
        mean = dict(zip(names, total / np.bincount(numbers, minlength=len(names)), strict=True))
        runs = runs or sorted(names)
        averages[table["measure"][0].as_py()] = [mean[name] for name in runs]
    with atomic(out) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", "team", *averages])
        for row, name in enumerate(runs):
            values = [repr(float(column[row])) for column in averages.values()]
            writer.writerow([name, team_of(name, pattern=team), *values])
