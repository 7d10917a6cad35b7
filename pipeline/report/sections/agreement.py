"""How far the measures agree on the order of the runs, and their discriminative power."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.report.board import FEW
from pipeline.report.charts import Chart, Spec, filled
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.wording import shown_short

KEYS = ("measure_a", "measure_b", "n")
NUMBERED = 25  # measures at most whose cells are large enough for a number


class Agreement(NamedTuple):
    """A symmetric statistic between measures; `values` has what correlations.csv has."""

    statistic: str
    measures: tuple[str, ...]
    values: Mapping[tuple[str, str], float]

    @property
    def cell(self) -> tuple[int, int]:
        """Width, at least, and height of a cell, in pixels; a measure's name has its line."""
        return (46, 36) if len(self.measures) <= NUMBERED else (14, 14)


@section("agreement", place=60, template="agreement.html.j2", title="Agreement")
def agreement(report: Report) -> Content | None:
    """The heat map of a statistic between the measures."""
    path, runs = report.results.correlations, len(report.board.rows)
    if not report.has(path):
        return None
    found = read_agreement(report.rows(path), measures=report.board.measures)
    drawn = []
    if runs > FEW and found.values:
        title, spec = "Agreement between measures", heat_map(found)
        drawn = [Chart(name="agreement", title=title, spec=spec, around=150, wide=True)]
    return Content({"agreement": found, "few": runs if runs <= FEW else 0}, drawn)


def read_agreement(rows: Rows, *, measures: Sequence[str]) -> Agreement:
    """tau_b, or else the first statistic, of correlations.csv; blanks are left out."""
    statistics = [name for name in (rows[0] if rows else ()) if name not in KEYS]
    statistic = statistics[0] if rows and "tau_b" not in statistics else "tau_b"
    values = {
        (row["measure_a"], row["measure_b"]): float(row[statistic])
        for row in rows
        if row[statistic]
    }
    return Agreement(statistic, tuple(measures), values)


def heat_map(agreement: Agreement) -> Spec:
    """Heat map of a statistic between all measures; few enough have their numbers in the cells."""
    statistic, measures, values = agreement
    cells = [
        {"a": a, "b": b, "value": values[a, b]}
        for a in measures
        for b in measures
        if (a, b) in values
    ]
    return filled(
        "agreement.yaml",
        {"cells": cells},
        description=f"Heat map of {statistic} between the measures.",
        statistic=statistic,
        height=agreement.cell[1] * len(measures),
        measures=list(measures),
        short=shown_short(measures),
        numbers="cells" if len(measures) <= NUMBERED else "",
    )


@section("discrimination", place=62, template="discrimination.html.j2")
def discrimination(report: Report) -> Content | None:
    """How many pairs of runs each measure tells apart (Sakai, SIGIR 2006), the most first.

    Absent with one run or one topic.
    """
    rows = report.rows(report.results.discrimination)
    if not any(row["power_tukey"] for row in rows):
        return None
    powers = sorted(rows, key=lambda row: -float(row["power_tukey"] or -1))
    return Content({"powers": powers})
