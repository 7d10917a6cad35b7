"""Means: one row a run, one column a measure."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.storage import arrow
from pipeline.storage.atomic import atomic


def means(overall: Sequence[Path], *, out: Path, teams: Mapping[str, str]) -> None:
    """Put each measure's figure over the topics side by side.

    All measures are over the same topics; most are means, some say otherwise (geometric, sum).
    """
    table: dict[str, dict[str, float]] = {}
    for path in overall:
        one = arrow.read(path)
        values = arrow.array(one["value"]).tolist()
        table[one["measure"][0].as_py()] = dict(zip(one["run"].to_pylist(), values, strict=True))
    runs = sorted(next(iter(table.values())))
    with atomic(out) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", "team", *table])
        for run in runs:
            values = [repr(column[run]) for column in table.values()]
            writer.writerow([run, teams[run], *values])
