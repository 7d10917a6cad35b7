"""The findings of checks.csv, with the runs worth a look first.

Only facts are found here; the words are in the template `odd`, for the report and the team pages.
A finding that most runs share is reported once and does not mark a run: in a campaign where
every run ties scores, marking every row would hide the one that lacks topics.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.intake.coverage import FALL, FEW
from pipeline.report.markup import Rows
from pipeline.report.wording import percent
from pipeline.storage import sheets
from pipeline.storage.text import number

TIED, JUDGED = "tied_share", "judged@"  # columns that are shares of 1, by how they start
# The columns in which a cell can be worth a look, by how they start.
RULES = (
    "identical_to", "no_team", "missing_topics", "unknown_topics", "duplicates", "bad_scores", TIED,
    "lost_order", "top10_differs", JUDGED, "repairs",
)  # fmt: skip
_HIDDEN = ("run", "team", "file")  # shown beside the findings, not as findings


class Finding(NamedTuple):
    """One cell of checks.csv."""

    text: str
    odd: bool  # it meets a rule that most runs do not meet, so it is marked
    sort: str  # orders the column
    rule: str


class Checked(NamedTuple):
    """One run's row of checks.csv."""

    run: str
    team: str
    file: str
    findings: tuple[Finding, ...]

    @property
    def oddities(self) -> int:
        return sum(finding.odd for finding in self.findings)


class Checks(NamedTuple):
    """All of checks.csv: the marked runs (most findings first), the others, and a summary."""

    columns: tuple[str, ...]
    texts: frozenset[str]  # the columns that hold words, not numbers
    odd: tuple[Checked, ...]
    plain: tuple[Checked, ...]
    hardly: list[dict[str, Any]]  # dimensions with almost none of the first documents judged
    shared: list[dict[str, Any]]  # by rule (`column`), how many runs meet it; common if most do


def read_checks(path: Path) -> Checks:
    """Read checks.csv; cells of columns without a rule are shown and never marked."""
    rows = sheets.read(path)
    columns = tuple(name for name in next(sheets.lines(path)) if name not in _HIDDEN)
    met = [{_rule(name, row[name]) for name in columns} for row in rows]
    counts = {rule: sum(rule in rules for rules in met) for rule in RULES}
    common = {rule for rule, count in counts.items() if len(rows) > 3 and 2 * count > len(rows)}

    def finding(column: str, cell: str) -> Finding:
        rule, value = _rule(column, cell), _number(cell)
        if value is None:
            text = cell
        elif column.startswith((TIED, JUDGED)):
            text = percent(value)
        else:
            text = f"{int(value):,}" if value == int(value) else f"{value:.4f}"
        return Finding(text, bool(rule) and rule not in common, cell, rule)

    checked = []
    for row in rows:
        findings = tuple(finding(name, row[name]) for name in columns)
        checked.append(Checked(row["run"], row.get("team", ""), row.get("file", ""), findings))
    checked.sort(key=lambda row: (-row.oddities, row.run))
    words = (c for c in columns if any(row[c] and _number(row[c]) is None for row in rows))
    return Checks(
        columns=columns,
        texts=frozenset(words),
        odd=tuple(row for row in checked if row.oddities),
        plain=tuple(row for row in checked if not row.oddities),
        hardly=_hardly_judged(rows, columns),
        shared=[
            {"column": rule, "count": count, "runs": len(rows), "common": rule in common}
            for rule, count in counts.items()
            if count
        ],
    )


def _hardly_judged(rows: Rows, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The dimensions that the input check, too, would report: see `intake.coverage`."""
    shares = {
        name.partition(" ")[2]: sum(values) / len(values)
        for name in columns
        if name.startswith(JUDGED)
        if (values := [value for row in rows if (value := _number(row[name])) is not None])
    }
    best = max(shares, key=lambda name: shares[name], default="")
    return [
        {"dimension": name, "share": share, "best": best, "best_share": shares[best]}
        for name, share in shares.items()
        if share < FEW or share < FALL * shares[best]
    ]


def _rule(column: str, cell: str) -> str:
    """The rule that a cell meets; empty if none."""
    rule = next((rule for rule in RULES if column.startswith(rule)), "")
    value = _number(cell)
    if rule in (TIED, JUDGED):
        met = value is not None and (value > 0.1 if rule == TIED else value < 0.5)
    else:
        met = bool(cell.strip()) if value is None else value > 0
    return rule if met else ""


def _number(cell: str) -> float | None:
    """The number in a cell; None if it is text, or the long number that is somebody's name."""
    value = number(cell)
    return value if abs(value) < 1e15 else None
