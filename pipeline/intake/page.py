"""What the input check writes: a page for people, a table for programs."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from pipeline.intake.check import Assigned
from pipeline.intake.findings import Finding
from pipeline.runs.reader import run_name
from pipeline.storage import sheets
from pipeline.storage.atomic import write_text
from pipeline.storage.text import natural

COLUMNS = ("severity", "kind", "name", "file", "line", "what", "fix")


def summary(found: Sequence[Finding]) -> str:
    """How many errors and warnings there are.

    >>> summary([])
    '0 errors, 0 warnings'
    """
    numbers = {name: sum(one.severity == name for one in found) for name in ("error", "warning")}
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in numbers.items())


def write_check(
    found: Sequence[Finding], *, title: str, runs: Sequence[Path], teams: Assigned, folder: Path
) -> None:
    """Write `problems.csv` and `index.html` into a folder."""
    rows = ([getattr(one, name) for name in COLUMNS] for one in found)
    sheets.write(folder / "problems.csv", COLUMNS, rows)
    write_page(found, title=title, runs=runs, teams=teams, out=folder / "index.html")


def write_page(
    found: Sequence[Finding], *, title: str, runs: Sequence[Path], teams: Assigned, out: Path
) -> None:
    """Write the page: problems of the config, topics and labels, then run by run."""
    import jinja2

    here = Path(__file__).parent
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["summary"] = summary
    names = {run_name(path) for path in runs}
    groups: dict[tuple[str, str], list[Finding]] = {}
    for one in found:
        groups.setdefault((one.kind, one.name), []).append(one)
    without = sorted((run for run, team in (teams.teams or {}).items() if not team), key=natural)
    html = templates.get_template("check.html.j2").render(
        title=title,
        style=Markup((here / "check.css").read_text(encoding="utf-8")),
        found=found,
        given=[(key, group) for key, group in groups.items() if key[0] != "run"],
        by_run=[(key, group) for key, group in groups.items() if key[0] == "run"],
        refused=len({one.name for one in found if (one.kind, one.severity) == ("run", "error")}),
        runs=names,
        fine=sorted(names - {one.name for one in found if one.kind == "run"}),
        teams=teams.teams,
        unaffiliated=[run for run in without if run in teams.unaffiliated],
        without=[run for run in without if run not in teams.unaffiliated],
    )
    write_text(out, html)
