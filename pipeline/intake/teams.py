"""The team of each run, and what is the matter with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.config.runs import Teams
from pipeline.errors import InputError, Problem
from pipeline.intake.findings import Finding, findings, some
from pipeline.runs.reader import run_name
from pipeline.runs.teams import is_unaffiliated, read_table, teams_of


@dataclass(frozen=True)
class Assigned:
    """The team of each run, '' for none; None where the campaign does not say how to find it."""

    teams: dict[str, str] | None = None
    problems: tuple[Finding, ...] = ()
    unaffiliated: frozenset[str] = frozenset()  # runs without a team on purpose


def assigned(runs: Sequence[Path], *, given: Teams | None, table: Path | None) -> Assigned:
    """The teams of the runs, and the findings about them."""
    if given is None or (given.table is not None and table is None):  # the table is missing
        return Assigned()
    try:
        teams = teams_of({run_name(path): str(path) for path in runs}, given=given, table=table)
        known = read_table(table) if table else {}
        unaffiliated = frozenset(run for run in teams if is_unaffiliated(given, run))
    except InputError as error:
        file = table or Path("runs.team")
        return Assigned(None, tuple(findings((p.at(file) for p in error.problems), "teams")))
    problems: list[Finding] = []
    for path in runs:
        run = run_name(path)
        if not teams[run] and run not in unaffiliated:
            problems += findings([_no_team(path, given)], "run", run)
    if table and (others := known.keys() - teams.keys()):
        number = f"{len(others)} of its {len(known)} runs"
        what = f"{number} are not among the run files: {some(others)}"
        fix = "correct the names, or send the runs; otherwise nothing hangs on them"
        problems += findings([Problem(table, what, fix, "warning")], "teams")
    return Assigned(teams, tuple(problems), unaffiliated)


def _no_team(path: Path, given: Teams) -> Problem:
    if given.table is not None:
        fix = "add a line with its team, or rename the file"
        return Problem(path, f"{given.told} has no such run", fix, "warning")
    where, verb = ("path", "move") if given.path is not None else ("name", "rename")
    what = f"{given.told} finds no team in this {where}"
    return Problem(path, what, f"widen the expression, or {verb} the file", "warning")
