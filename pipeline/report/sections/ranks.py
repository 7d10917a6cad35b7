"""The ranks of the runs from measure to measure."""

import json
from typing import Any

from pipeline.report.board import Board
from pipeline.report.charts import SHOWN, Chart, Spec, filled
from pipeline.report.report import Report
from pipeline.report.section import Content, section

FOCUS = 12  # runs in colour at once: as many colours as can be told apart
FEW = 30  # runs that all have their names on paper, where nobody can point at a line


@section("ranks", place=40, template="ranks.html.j2", title="Ranks")
def ranks(report: Report) -> Content | None:
    """The bump chart, where there is something to compare."""
    board = report.board
    if len(board.rows) < 2 or len(board.measures) < 2:
        return None
    title = "Ranks from measure to measure"
    drawn = Chart(name="bump", title=title, spec=chart(board), around=160, wide=True)
    return Content({"focus": min(FOCUS, len(board.rows))}, [drawn])


def chart(board: Board) -> Spec:
    """The rank of each run under each measure, one line per run.

    Some runs are in focus, in colour and with a shape and their name beside the line; the others
    are grey. The page's script moves the focus, and makes the same data of other runs.
    """
    runs = len(board.rows)
    height = max(300, min(1300, 14 * runs))
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000) if runs / s <= 15)
    points = _points(board)
    best = {run: at for at, run in enumerate(board.runs[:FOCUS])}
    shown = [
        {**{key: point[key] for key in ("run", "measure", "rank", "place")}, "tone": tone}
        for point in points
        if (tone := best.get(point["run"])) is not None or runs <= FEW
    ]
    heads = [{"measure": name, "short": short} for name, short in board.short.items()]
    return filled(
        "bump.yaml",
        {"points": points, SHOWN: shown, "heads": heads},
        height=height,
        below=height + 10,
        measures=list(board.measures),
        domain=[0.3, runs + 0.7],
        ticks=sorted({1, *range(step, runs + 1, step)}),
        tones=list(range(FOCUS)),
        last=f"datum.measure === {json.dumps(board.measures[-1])}",
    )


def _points(board: Board) -> list[dict[str, Any]]:
    """Every run under every measure; `place` is where its name is, beside the last measure."""
    ranks = [board.ranks(measure) for measure in board.measures]
    places, place = [0.0] * len(board.rows), 0.0
    # Runs that tie share a rank; their names go one below the other.
    for run in sorted(range(len(board.rows)), key=lambda run: (ranks[-1][run], run)):
        places[run] = place = max(place + 1, ranks[-1][run])
    return [
        {"run": row.run, "team": row.group, "measure": measure, "rank": ranks[at][number]}
        | {"value": round(row.cells[at].value, 6), "place": places[number]}
        for number, row in enumerate(board.rows)
        for at, measure in enumerate(board.measures)
    ]
