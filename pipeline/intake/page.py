"""The output of the input check: a page for people, a table for programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipeline.intake.check import TeamAssignment
from pipeline.intake.findings import Finding
from pipeline.runs.reader import run_name
from pipeline.storage import sheets
from pipeline.storage.atomic import write_text
from pipeline.storage.text import natural

COLUMNS = ("severity", "kind", "name", "file", "line", "what", "fix")


def summary(problems: Sequence[Finding]) -> str:
    """The numbers of errors and warnings.

    >>> summary([])
    '0 errors, 0 warnings'
    """
    numbers = {name: sum(p.severity == name for p in problems) for name in ("error", "warning")}
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in numbers.items())


def write_check(problems: Sequence[Finding], *, folder: Path, **page: Any) -> None:
    """Write `problems.csv` and `index.html` into a folder; `page` is for `write_page`."""
    rows = ([getattr(problem, name) for name in COLUMNS] for problem in problems)
    sheets.write(folder / "problems.csv", COLUMNS, rows)
    write_page(problems, **page, out=folder / "index.html")


def write_page(
    problems: Sequence[Finding],
    *,
    title: str,
    runs: Sequence[Path],
    teams: TeamAssignment,
    out: Path,
) -> None:
    """Write the page: problems of the config, topics and labels, then those of each run."""
    import jinja2

    folder = Path(__file__).parent
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    templates.filters["summary"] = summary
    names = {run_name(path) for path in runs}
    groups: dict[tuple[str, str], list[Finding]] = {}
    for problem in problems:
        groups.setdefault((problem.kind, problem.name), []).append(problem)
    of_runs = [problem for problem in problems if problem.kind == "run"]
    without = sorted((run for run, team in (teams.teams or {}).items() if not team), key=natural)
    html = templates.get_template("check.html.j2").render(
        title=title,
        style=Markup((folder / "check.css").read_text(encoding="utf-8")),
        findings=problems,
        files=[(key, group) for key, group in groups.items() if key[0] != "run"],
        by_run=[(key, group) for key, group in groups.items() if key[0] == "run"],
        runs_with_errors=len({p.name for p in of_runs if p.severity == "error"}),
        runs=names,
        runs_without_problems=sorted(names - {problem.name for problem in of_runs}),
        teams=teams.teams,
        unaffiliated=[run for run in without if run in teams.unaffiliated],
        without=[run for run in without if run not in teams.unaffiliated],
    )
    write_text(out, html)
