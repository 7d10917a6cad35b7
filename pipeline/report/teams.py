"""A page for each team: where its runs stand, topic by topic, and what was odd in its files.

Small and self-contained, so that it can be sent on its own: bars are drawn by the style sheet, and
only the page's own script (theme, sorting) runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.report.board import Board, Row
from pipeline.report.markup import environment, policy, script, style
from pipeline.report.names import slugs
from pipeline.report.results import Results
from pipeline.report.scripts import behaviour
from pipeline.report.topic_scores import TopicScores
from pipeline.storage.atomic import atomic_folder

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Strip:
    """One measure: where all runs and the team's runs lie between its least and largest mean."""

    measure: str
    others: tuple[float, ...]  # percent
    ours: tuple[tuple[float, str], ...]  # percent and run
    best: Row
    rank: int
    value: float


@dataclass(frozen=True)
class TopicLine:
    """One topic: the spread of all runs in percent, and the scores of the team's runs."""

    place: int
    id: str
    text: str
    low: float
    median: float
    high: float
    best: float
    scores: tuple[float, ...]
    lead: float  # the best of the team's runs over the median of all


def write(results: Results, *, out: Path) -> None:
    """Write <team>.html for every team into the folder `out`."""
    running = script(behaviour())
    template = environment(_HERE).get_template("team.html.j2")
    with atomic_folder(out) as folder:
        for team, name in slugs(results.board.teams).items():
            html = template.render(
                **values(results, team=team),
                style=style(),
                script=running,
                policy=policy([running]),
            )
            (folder / f"{name}.html").write_text(html, encoding="utf-8", newline="\n")


def values(results: Results, *, team: str) -> dict[str, Any]:
    """What the page of a team shows."""
    board, checks = results.board, results.checks
    mine = [row for row in board.rows if row.team == team]
    return {
        "title": results.title,
        "team": team,
        "board": board,
        "standings": results.standings,
        "rows": mine,
        "strips": [strip(board, mine, at) for at in range(len(board.measures))],
        "topics": {
            measure: lines(board, mine, results.scores, measure=measure)
            for measure in dict.fromkeys(results.contrast)
            if measure in results.scores.of
        },
        "columns": checks.columns,
        "words": checks.texts,
        "checked": [row for row in (*checks.odd, *checks.plain) if row.team == team],
        "command": results.provenance.command,
    }


def strip(board: Board, mine: Sequence[Row], at: int) -> Strip:
    """Where the team stands under one measure."""
    values = [row.cells[at].value for row in board.rows]
    low, width = min(values), max(values) - min(values) or 1.0

    def place(row: Row) -> float:
        return round(100 * (row.cells[at].value - low) / width, 1)

    best = max(mine, key=lambda row: row.cells[at].value)
    return Strip(
        measure=board.measures[at],
        others=tuple(sorted({place(row) for row in board.rows if row not in mine})),
        ours=tuple((place(row), row.run) for row in mine),
        best=best,
        rank=1 + sum(value > best.cells[at].value for value in values),
        value=best.cells[at].value,
    )


def lines(
    board: Board, mine: Sequence[Row], scores: TopicScores, *, measure: str
) -> tuple[TopicLine, ...]:
    """The topics under one measure, those on which the team is furthest ahead first."""
    values = scores.of[measure]
    ours = values[[board.rows.index(row) for row in mine]]
    top = float(values.max()) or 1.0
    median = np.median(values, axis=0)
    made = [
        TopicLine(
            place=at,
            id=topic.id,
            text=topic.text,
            low=100 * float(values[:, at].min()) / top,
            median=100 * float(median[at]) / top,
            high=100 * float(values[:, at].max()) / top,
            best=100 * float(ours[:, at].max()) / top,
            scores=tuple(ours[:, at].tolist()),
            lead=float(ours[:, at].max() - median[at]),
        )
        for at, topic in enumerate(board.topics)
    ]
    return tuple(sorted(made, key=lambda line: (-line.lead, line.place)))
