"""Whose runs were handed in: every run without a team, and what is wrong with a table of teams."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.intake.problem import Problem, odd, sentence_parts, some, wrong
from pipeline.runs.teams import Teams, read_table, teams_of
from pipeline.runs.trec import run_name


@dataclass(frozen=True)
class Assigned:
    """The team of each run, '' for none; None where the campaign says of none how to find it."""

    teams: dict[str, str] | None
    problems: tuple[Problem, ...]
    nobodys: frozenset[str] = frozenset()  # runs that are no team's on purpose


NOBODY = Assigned(None, ())  # where nothing says how to find teams


def assigned(runs: Sequence[Path], *, given: Teams | None, table: Path | None) -> Assigned:
    """The teams of the runs, and what is wrong or odd about them."""
    if given is None or (given.table is not None and table is None):  # a table that is not there
        return NOBODY
    try:
        teams = teams_of({run_name(path): str(path) for path in runs}, given=given, table=table)
        known = read_table(table) if table else {}
        nobodys = frozenset(run for run in teams if given.nobodys(run))
    except InputError as error:
        file = table or Path("runs.team")
        line, what, fix = sentence_parts(str(error), path=file)
        return Assigned(None, (wrong("teams", "", file, line, what, fix),))
    meant = [path for path in runs if run_name(path) not in nobodys]
    problems = (*_without(meant, teams, given), *_strangers(teams, known, table))
    return Assigned(teams, problems, nobodys)


def _without(runs: Sequence[Path], teams: dict[str, str], given: Teams) -> Iterator[Problem]:
    if given.table is not None:
        what, fix = f"{given.told} has no such run", "add a line with its team, or rename the file"
    else:
        where = "path" if given.path is not None else "name"
        what = f"{given.told} finds no team in this {where}"
        fix = f"widen the expression, or {'move' if where == 'path' else 'rename'} the file"
    for path in runs:
        if not teams[run_name(path)]:
            yield odd("run", run_name(path), path, what, fix)


def _strangers(
    teams: dict[str, str], known: dict[str, str], table: Path | None
) -> Iterator[Problem]:
    strangers = known.keys() - teams.keys()
    if table and strangers:
        yield odd(
            "teams", "", table,
            f"{len(strangers)} of its {len(known)} runs are not among the run files: "
            f"{some(strangers)}",
            "correct the names, or send the runs; otherwise nothing hangs on them",
        )  # fmt: skip
