"""Means: one row a run, one column a measure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.storage import arrow, sheets


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
    rows = ([run, teams[run], *(repr(column[run]) for column in table.values())] for run in runs)
    sheets.write(out, ["run", "team", *table], rows)
