"""A page for each team: where its runs stand, topic by topic, and what was odd in its files.

Small and self-contained, so that it can be sent on its own: bars are drawn by the style sheet, and
only the page's own script (theme, sorting) runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.report import certainty, data, forensics, numbers, page
from pipeline.report.data import Board, Row
from pipeline.report.names import slugs
from pipeline.report.numbers import Scores
from pipeline.statistics.correlation.means import read_means
from pipeline.storage.atomic import atomic_folder


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


def write(
    *,
    out: Path,
    title: str,
    means: Path,
    scores: Sequence[Path],
    standings: Mapping[str, Path],
    checks: Path,
    scatter: tuple[str, str],
    topics: Mapping[str, str],
    command: str,
) -> None:
    """Write <team>.html for every team into the folder `out`; arguments as of the report."""
    board = data.read_board(
        means=read_means(means), source=means, scores=scores, contrast=scatter, topics=topics
    )
    per_topic = numbers.read_scores(scores, board=board)
    found = forensics.read(checks)
    script = page.script((Path(__file__).parent / "report.js").read_text("utf-8"))
    template = page.environment().get_template("team.html.j2")
    stands = certainty.read_standings(standings)
    shared = {
        "title": title,
        "board": board,
        "standings": stands,
        "command": command,
        "columns": found.columns,
        "words": found.texts,
        "style": page.style(),
        "script": script,
        "policy": page.policy([script]),
    }
    with atomic_folder(out) as folder:
        for team, name in slugs(board.teams).items():
            mine = [row for row in board.rows if row.team == team]
            html = template.render(
                **shared,
                team=team,
                rows=mine,
                strips=[strip(board, mine, at) for at in range(len(board.measures))],
                topics={
                    measure: lines(board, mine, per_topic, measure=measure)
                    for measure in dict.fromkeys(scatter)
                    if measure in per_topic.of
                },
                checked=[row for row in (*found.odd, *found.plain) if row.team == team],
            )
            (folder / f"{name}.html").write_text(html, encoding="utf-8", newline="\n")


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
    board: Board, mine: Sequence[Row], scores: Scores, *, measure: str
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
