"""How well each measure tells the runs apart: its discriminative power (Sakai, SIGIR 2006)."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILE = "significance.csv"


@dataclass(frozen=True)
class Power:
    """One measure: the share of the pairs told apart by each test, and what it takes to be."""

    measure: str
    tukey: float | None
    t_holm: float | None
    permutation_bh: float | None
    critical: float | None  # the smallest difference that Tukey's test finds
    groups: int


@section("discrimination", place=62, template="discrimination.html.j2", needs=[FILE])
def discrimination(results: Results) -> Content | None:
    """A row a measure, the one that tells most runs apart first."""
    rows = sheets.read(results.files.tables[FILE])
    powers = [_power(row) for row in rows]
    if not any(one.tukey is not None for one in powers):  # one run, or one topic
        return None
    powers.sort(key=lambda one: -1.0 if one.tukey is None else one.tukey, reverse=True)
    return Content(
        {"powers": powers, "alpha": float(rows[0]["alpha"]), "pairs": int(rows[0]["pairs"])}
    )


def _power(row: Mapping[str, str]) -> Power:
    def known(column: str) -> float | None:
        return float(row[column]) if row[column] else None

    return Power(
        measure=row["measure"],
        tukey=known("power_tukey"),
        t_holm=known("power_t_holm"),
        permutation_bh=known("power_permutation_bh"),
        critical=known("critical_difference"),
        groups=int(row["groups"]),
    )
