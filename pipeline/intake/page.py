"""What the desk writes: a page for people, a table for machines."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipeline.intake.problem import ODD, WRONG, Problem
from pipeline.runs.trec import run_name
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural

COLUMNS = ("severity", "kind", "name", "file", "line", "what", "fix")
_TEMPLATE = "desk.html.j2"
_STYLE = "desk.css"


def write_table(problems: Sequence[Problem], *, out: Path) -> None:
    """Write `problems.csv`: one row a problem, nothing that a spreadsheet would compute."""
    assert set(COLUMNS) == {field.name for field in fields(Problem)}
    sheets.write(out, COLUMNS, ([getattr(one, name) for name in COLUMNS] for one in problems))


def write_page(
    problems: Sequence[Problem],
    *,
    title: str,
    runs: Sequence[Path],
    teams: Mapping[str, str] | None,
    nobodys: Collection[str] = (),
    out: Path,
) -> None:
    """Write the page: what is wrong with topics and labels, then run by run."""
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
    by_run = _groups([one for one in problems if one.kind == "run"], teams=teams or {})
    fine = sorted({run_name(path) for path in runs} - {group["name"] for group in by_run})
    names = {run_name(path) for path in runs}
    html = templates.get_template(_TEMPLATE).render(
        title=title,
        style=Markup((here / _STYLE).read_text(encoding="utf-8")),
        runs=len(names),
        wrong=sum(one.severity == WRONG for one in problems),
        odd=sum(one.severity == ODD for one in problems),
        refused=sum(group["wrong"] > 0 for group in by_run),
        given=_groups([one for one in problems if one.kind != "run"], teams={}),
        by_run=by_run,
        fine=fine,
        teams=_teams(teams, nobodys),
    )
    with atomic(out) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")


def _groups(problems: Sequence[Problem], *, teams: Mapping[str, str]) -> list[dict[str, Any]]:
    """Problems of one thing together: of a run, of a dimension, of the topics, of the config."""
    found: dict[tuple[str, str], list[Problem]] = {}
    for one in problems:
        found.setdefault((one.kind, one.name), []).append(one)
    return [
        {
            "id": f"{kind}-{place}",  # a name may hold anything
            "name": name,
            "title": name if kind in ("run", "labels") else f"{kind.capitalize()} {name}".strip(),
            "kind": kind,
            "team": teams.get(name, ""),
            "problems": mine,
            "wrong": sum(one.severity == WRONG for one in mine),
            "odd": sum(one.severity == ODD for one in mine),
        }
        for place, ((kind, name), mine) in enumerate(found.items(), start=1)
    ]


def _teams(teams: Mapping[str, str] | None, nobodys: Collection[str]) -> str:
    """How many teams there are, and every run without one: on purpose, or not."""
    if teams is None:
        return "Nothing says how to find the teams (runs.team), so every run is without one."
    count = len({team for team in teams.values() if team})
    without = [run for run, team in teams.items() if not team]
    parts = [f"{count} {'team' if count == 1 else 'teams'}"]
    for said, runs in (
        ("no team's, as runs.team.none says", [run for run in without if run in nobodys]),
        ("without a team", [run for run in without if run not in nobodys]),
    ):
        if runs:
            parts.append(f"{said}: {', '.join(sorted(runs, key=natural))}")
    return f"{'; '.join(parts)}."
