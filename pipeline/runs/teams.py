"""Whose run it is: found in the run's name or in its path, or looked up in a table.

A run without a team is no mistake that stops anything: it is listed as such, and everything else
goes on. A baseline that was made here belongs to no participant, whatever an expression would find.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.runs.trec import BASELINE
from pipeline.storage import sheets
from pipeline.storage.expressions import search
from pipeline.storage.text import LONGEST, cut, read_text, refuse_long

TABLE_LINE = "run,team"


@dataclass(frozen=True, kw_only=True)
class Teams:
    """How teams are found; one of the first three is given."""

    name: str | None = None  # an expression searched in a run's name; its first group is the team
    path: str | None = None  # the same in the path of its file
    table: str | None = None  # a file with the columns run and team
    none: str | None = None  # searched in a run's name: a match is nobody's on purpose

    @property
    def told(self) -> str:
        """How, in the words of the config."""
        if self.table is not None:
            return f"runs.team.table '{self.table}'"
        if self.path is not None:
            return f"runs.team.path '{self.path}'"
        return f"runs.team '{self.name}'"

    def nobodys(self, run: str) -> bool:
        """Whether a run is no team's on purpose, as the organisers' own are."""
        where = f"run '{run}': runs.team.none"
        return self.none is not None and search(self.none, run, key=where) is not None


def teams_of(
    files: Mapping[str, str | None], *, given: Teams | None, table: Path | None = None
) -> dict[str, str]:
    """The team of each run, '' for none: `files` maps a run to its file, None where it has none.

    >>> given = Teams(path="([^/]+)/IRTask1/")
    >>> teams_of({"run1": "runs/CUNI/IRTask1/run1", "other": "runs/other"}, given=given)
    {'run1': 'CUNI', 'other': ''}
    """
    known = read_table(table) if given and table else {}
    return {run: _team(run, file, given, known) for run, file in files.items()}


def _team(run: str, file: str | None, given: Teams | None, known: Mapping[str, str]) -> str:
    if given is None or is_baseline(run) or given.nobodys(run):
        return ""
    if given.table is not None:
        return known.get(run, "")
    where = f"run '{run}': {given.told.partition(' ')[0]}"
    if given.path is not None:
        found = search(given.path, Path(file).as_posix(), key=where) if file else None
    else:
        found = search(given.name or "", run, key=where)
    return str(found[1]).strip() if found and found[1] else ""


def is_baseline(run: str) -> bool:
    """Whether a run was made here from the pages."""
    return run.startswith(BASELINE)


def read_table(path: Path) -> dict[str, str]:
    """The team of each run of a table: comma or tab separated, its first line names the columns."""
    lines = read_text(path, what="table of teams", line=TABLE_LINE).split("\n")
    mark = "\t" if "\t" in lines[0] else ","
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST:
            refuse_long(path, number, line.split(mark))
    head = [name.strip().lower() for name in next(csv.reader(lines[:1], delimiter=mark))]
    for column in ("run", "team"):
        if head.count(column) != 1:
            raise InputError(
                f"{path}, line 1: {head.count(column) or 'no'} column '{column}'; the first line "
                "must name the columns run and team, with commas or tabs between them"
            )
    found: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            row = [cell.strip() for cell in next(csv.reader([line], strict=True, delimiter=mark))]
        except csv.Error as error:
            raise InputError(f"{path}, line {number}: {error}; correct the quotes") from None
        if len(row) != len(head):
            raise InputError(
                f"{path}, line {number}: {len(row)} fields where the first line names "
                f"{len(head)}; correct the line"
            )
        run, team = row[head.index("run")].removesuffix(".gz"), row[head.index("team")]
        if not run or not team:
            what = "run" if not run else "team"
            raise InputError(
                f"{path}, line {number}: the {what} is blank; fill it in or remove the line"
            )
        if run in found:
            raise InputError(
                f"{path}, line {number}: run '{cut(run)}' is already in line {line_of[run]}; "
                "remove one"
            )
        found[run], line_of[run] = team, number
    if not found:
        raise InputError(f"{path}: no run in this table; write a line of run and team for each")
    return found


def write_teams(teams: Mapping[str, str], *, out: Path) -> None:
    """Write the team of each run, for the steps that ask."""
    sheets.write(out, ["run", "team"], sorted(teams.items()))


def read_teams(path: Path) -> dict[str, str]:
    """What `write_teams` wrote."""
    return {row["run"]: row["team"] for row in sheets.read(path)}
