"""The ranks of the runs from measure to measure."""

from typing import Any

import numpy as np

from pipeline.report.board import Board
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.statistics.ranks import ranks_of


@section("ranks", place=40, template="ranks.html.j2", title="Ranks")
def ranks(results: Results) -> Content | None:
    """The bump chart, where there is something to compare."""
    board = results.board
    if len(board.rows) < 2 or len(board.measures) < 2:
        return None
    drawn = Chart(name="bump", title="Ranks from measure to measure", spec=chart(board), around=160)
    return Content({"board": board}, [drawn])


def chart(board: Board) -> Spec:
    """The rank of each run under each measure, one line a run; pointing at a run picks it out."""
    import altair as alt

    points = _points(board)
    x = alt.X(
        "measure:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=list(board.measures), padding=0.3),
        axis=alt.Axis(labelAngle=-35, grid=True, orient="bottom"),
    )
    y = alt.Y(
        "rank:Q",
        title="Rank",
        scale=alt.Scale(reverse=True, domain=[0.3, len(board.rows) + 0.7], nice=False),
        axis=alt.Axis(values=_marks(len(board.rows)), grid=False, domain=False),
    )
    colour = alt.Color("team:N", legend=None, scale=alt.Scale(domain=list(board.groups)))
    base = alt.Chart(alt.InlineData(values=points)).encode(x=x, y=y, color=colour, detail="run:N")
    layers = _lines_and_dots(base)
    if len(board.rows) <= 90:
        last = [point for point in points if point["measure"] == board.measures[-1]]
        layers.append(
            alt.Chart(alt.InlineData(values=_spread(last)), name="ends")
            .mark_text(align="left", dx=10, style="end", limit=190)
            .encode(x=x, y=alt.Y("place:Q"), text="run:N")
        )
    chart = alt.layer(*layers).properties(
        width="container",
        height=max(300, min(1300, 14 * len(board.rows))),
        description="Bump chart: the rank of each run under each measure.",
    )
    return plain(chart)


def _points(board: Board) -> list[dict[str, Any]]:
    ranks = [
        ranks_of(np.array([row.cells[at].value for row in board.rows]))
        for at in range(len(board.measures))
    ]
    return [
        {
            "run": row.run,
            "team": row.group,
            "measure": measure,
            "rank": ranks[at][number],
            "value": round(row.cells[at].value, 6),
        }
        for number, row in enumerate(board.rows)
        for at, measure in enumerate(board.measures)
    ]


def _lines_and_dots(base: Any) -> list[Any]:
    import altair as alt

    near = alt.selection_point(
        name="near_run",
        fields=["run"],
        on="pointerover",
        nearest=True,
        empty=False,
        clear="mouseout",
    )
    lines = base.mark_line(interpolate="monotone").encode(
        strokeWidth=alt.when(near).then(alt.value(4)).otherwise(alt.value(1.4)),
        opacity=alt.when(near).then(alt.value(1)).otherwise(alt.value(0.5)),
    )
    dots = (
        base.mark_point(filled=True)
        .encode(
            size=alt.when(near).then(alt.value(110)).otherwise(alt.value(28)),
            opacity=alt.when(near).then(alt.value(1)).otherwise(alt.value(0.75)),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("team:N", title="Team"),
                alt.Tooltip("measure:N", title="Measure"),
                alt.Tooltip("rank:Q", title="Rank"),
                alt.Tooltip("value:Q", title="Mean", format=".4f"),
            ],
        )
        .add_params(near)
    )
    return [lines.properties(name="ranks"), dots.properties(name="dots")]


def _marks(runs: int) -> list[int]:
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000) if runs / s <= 15)
    return sorted({1, *range(step, runs + 1, step)})


def _spread(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Runs that tie share a rank: their names are put one below the other."""
    spread, place = [], 0.0
    for point in sorted(points, key=lambda point: (point["rank"], point["run"])):
        place = max(place + 1, point["rank"])
        spread.append({**point, "place": place})
    return spread
