"""What is odd in a team's own files."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.report.checks import Checked, Checks


@dataclass(frozen=True)
class Oddity:
    """What some runs of the team have in one column of the checks."""

    rule: str  # by which the template says it
    column: str
    runs: tuple[tuple[str, str], ...]  # and what the cell says
    common: bool  # most runs of the campaign have it


def oddities(checks: Checks, checked: Sequence[Checked]) -> tuple[Oddity, ...]:
    """Column by column; what most runs of the campaign share comes last."""
    found = []
    for at, column in enumerate(checks.columns):
        mine = [(row.run, row.findings[at]) for row in checked]
        met = [(run, finding) for run, finding in mine if finding.rule]
        if met:
            rule = met[0][1].rule
            assert rule is not None
            found.append(
                Oddity(
                    rule=rule.column,
                    column=column.replace("_", " "),
                    runs=tuple((run, finding.text) for run, finding in met),
                    common=not met[0][1].odd,
                )
            )
    return tuple(sorted(found, key=lambda one: one.common))
