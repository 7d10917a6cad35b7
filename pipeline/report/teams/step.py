"""Writing a page for each team, and its scores beside it.

A page is small and self-contained, so that it can be sent on its own: bars are drawn by the style
sheet, and only the page's own script (theme, sorting, taking along) runs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.report.board import FEW, Row
from pipeline.report.markup import environment, policy, script, style
from pipeline.report.names import slugs
from pipeline.report.results import Results
from pipeline.report.scripts import behaviour
from pipeline.report.teams.against import Field
from pipeline.report.teams.files import oddities
from pipeline.report.teams.standing import runs_of, strip
from pipeline.report.teams.topics import lines
from pipeline.report.teams.unique import FIRST, Document, Unique, read_unique
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic_folder

_HERE = Path(__file__).parent
SHOWN = 100  # of the documents only the team found; the file beside the page has all


def write(
    results: Results,
    *,
    alpha: float,
    rankings: Path | None = None,
    dimension: str | None = None,
    out: Path,
) -> None:
    """Write <team>.html and <team>.csv (its scores) for every team into the folder `out`.

    With `rankings` and the `dimension` that says what is relevant, a page tells which relevant
    documents only that team found, and <team>.unique.csv lists them. `alpha` is of the tests.
    """
    running = script(behaviour())
    template = environment(_HERE, _HERE.parent).get_template("team.html.j2")
    fields = [Field(results, measure, alpha) for measure in results.board.measures]
    found = None
    if rankings is not None and dimension is not None:
        found = read_unique(
            rankings, labels=results.files.labels, dimension=dimension, board=results.board
        )
    with atomic_folder(out) as folder:
        for team, name in slugs(results.board.teams).items():
            mine = runs_of(results.board, team)
            given = values(results, team=team, mine=mine, fields=fields, unique=found)
            write_scores(results, mine, out=folder / f"{name}.csv")
            if given["unique"]:
                write_unique(given["unique"], found, out=folder / f"{name}.unique.csv")
            html = template.render(
                **given, file=name, style=style(), script=running, policy=policy([running])
            )
            (folder / f"{name}.html").write_text(html, encoding="utf-8", newline="\n")


def values(
    results: Results,
    *,
    team: str,
    mine: Sequence[Row],
    fields: Sequence[Field],
    unique: Unique | None,
) -> dict[str, Any]:
    """What the page of a team shows."""
    board, checks = results.board, results.checks
    contrast = tuple(dict.fromkeys(results.contrast))
    names = {row.run for row in mine}
    checked = [row for row in (*checks.odd, *checks.plain) if row.run in names]
    return {
        "title": results.title,
        "team": team,
        "board": board,
        "contrast": contrast,
        "few": len(board.rows) <= FEW,
        "standings": results.standings,
        "from_best": results.from_best,
        "rows": mine,
        "others": len(board.rows) - len(mine),
        "strips": {
            measure: strip(board, mine, at) for at, measure in enumerate(board.measures)
        },
        "against": {field.measure: field.against(mine) for field in fields},
        "topics": {
            measure: lines(board, mine, results.scores, measure=measure)
            for measure in contrast
            if measure in results.scores.of and board.topics
        },
        "found": unique,
        "unique": unique.of.get(team, ()) if unique else (),
        "shown": SHOWN,
        "depth": FIRST,
        "columns": checks.columns,
        "words": checks.texts,
        "checked": checked,
        "odd": oddities(checks, checked),
        "odd_words": checks.template,
        "command": results.provenance.command,
    }  # fmt: skip


def write_scores(results: Results, mine: Sequence[Row], *, out: Path) -> None:
    """The team's scores, as they are: a row a run and topic, a column a measure."""
    board, scores = results.board, results.scores.of
    measures = [name for name in board.measures if name in scores]
    place = {row.run: at for at, row in enumerate(board.rows)}
    sheets.write(
        out,
        ["run", "topic", *measures],
        (
            [row.run, topic.id, *(float(scores[name][place[row.run], at]) for name in measures)]
            for row in mine
            for at, topic in enumerate(board.topics)
        ),
    )


def write_unique(documents: Sequence[Document], found: Unique | None, *, out: Path) -> None:
    """The relevant documents only the team found, with their labels."""
    names = found.dimensions if found else ()
    sheets.write(
        out,
        ["topic", "document", "run", "rank", "rank_elsewhere", *names],
        (
            [one.topic, one.document, one.run, one.rank, one.elsewhere, *one.labels]
            for one in documents
        ),
    )
