"""The team of each run: from its name or path by a regular expression, or from a table.

A run without a team is not an error: it is listed, and evaluation continues. A baseline that Fathom
generates belongs to no team, even if the expression matches its name.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

from pipeline.config.runs import Teams
from pipeline.errors import InputError, Problem
from pipeline.storage import sheets
from pipeline.storage.expressions import search
from pipeline.storage.text import LONGEST, cut, read_text, refuse_long

TABLE_LINE = "run,team"
BASELINE = "baseline:"  # prefix of the names of runs generated from the pages


def is_unaffiliated(keys: Teams, run: str) -> bool:
    """Whether the config marks a run as unaffiliated, for example one of the organisers."""
    where = f"run '{run}': runs.team.none"
    return keys.none is not None and search(keys.none, run, key=where) is not None


def baseline_run(name: str) -> str:
    """The name of the run of a baseline."""
    return BASELINE + name


def is_baseline(run: str) -> bool:
    """Whether Fathom generated a run from the pages."""
    return run.startswith(BASELINE)


def teams_of(
    files: Mapping[str, str | None], *, given: Teams | None, table: Path | None = None
) -> dict[str, str]:
    """The team of each run, '' if it has none; `files` maps a run to its file, or to None.

    >>> given = Teams(path="([^/]+)/IRTask1/")
    >>> teams_of({"run1": "runs/CUNI/IRTask1/run1", "other": "runs/other"}, given=given)
    {'run1': 'CUNI', 'other': ''}
    """
    listed = read_table(table) if given and table else {}

    def team(run: str, file: str | None) -> str:
        if given is None or is_baseline(run) or is_unaffiliated(given, run):
            return ""
        if given.table is not None:
            return listed.get(run, "")
        expression, text = given.name, run
        if given.path is not None:
            expression, text = given.path, Path(file).as_posix() if file else ""
        key = f"run '{run}': {given.description.partition(' ')[0]}"
        match = search(expression or "", text, key=key) if text else None
        return (match[1] or "").strip() if match else ""

    return {run: team(run, file) for run, file in files.items()}


def read_table(path: Path) -> dict[str, str]:
    """The team of each run in a table with a header line, separated by commas or tabs."""

    def fault(line: int | None, what: str, fix: str) -> InputError:
        return InputError(Problem(path, what, fix, line=line))

    lines = read_text(path, what="table of teams", line=TABLE_LINE).split("\n")
    mark = "\t" if "\t" in lines[0] else ","
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST:
            refuse_long(path, number, line.split(mark))
    head = [name.strip().lower() for name in next(csv.reader(lines[:1], delimiter=mark))]
    for column in ("run", "team"):
        if head.count(column) != 1:
            fix = "name the columns run and team in the first line, separated by commas or tabs"
            raise fault(1, f"{head.count(column) or 'no'} column '{column}'", fix)
    line_of: dict[str, int] = {}
    teams: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            row = [cell.strip() for cell in next(csv.reader([line], strict=True, delimiter=mark))]
        except csv.Error as error:
            raise fault(number, str(error), "correct the quotes") from None
        if len(row) != len(head):
            what = f"{len(row)} fields where the first line names {len(head)}"
            raise fault(number, what, "correct the line")
        run, team = row[head.index("run")].removesuffix(".gz"), row[head.index("team")]
        if not run or not team:
            blank = "team" if run else "run"
            raise fault(number, f"the {blank} is blank", "fill it in or remove the line")
        if run in teams:
            raise fault(number, f"run '{cut(run)}' is already in line {line_of[run]}", "remove one")
        teams[run], line_of[run] = team, number
    if not teams:
        raise fault(None, "the table has no runs", "write one line per run and team")
    return teams


def write_teams(teams: Mapping[str, str], *, out: Path) -> None:
    """Write the team of each run."""
    sheets.write(out, ["run", "team"], sorted(teams.items()))


def read_teams(path: Path) -> dict[str, str]:
    """The teams that `write_teams` wrote."""
    return {row["run"]: row["team"] for row in sheets.read(path)}
