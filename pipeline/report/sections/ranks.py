"""The ranks of the runs from measure to measure."""

import json
from typing import Any

import numpy as np

from pipeline.report.board import Board
from pipeline.report.chart import SHOWN, Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.statistics.ranks import ranks_of

FOCUS = 12  # runs in colour at once: as many colours as can be told apart
POINTS = "points"  # every run; what is in focus is SHOWN, so that moving it redraws no more


@section("ranks", place=40, template="ranks.html.j2", title="Ranks")
def ranks(results: Results) -> Content | None:
    """The bump chart, where there is something to compare."""
    board = results.board
    if len(board.rows) < 2 or len(board.measures) < 2:
        return None
    drawn = Chart(
        name="bump",
        title="Ranks from measure to measure",
        spec=chart(board),
        around=160,
        wide=True,
    )
    return Content({"board": board, "focus": min(FOCUS, len(board.rows))}, [drawn])


def chart(board: Board) -> Spec:
    """The rank of each run under each measure, one line a run.

    Some runs are in focus, in colour and with a shape and their name beside the line; the others
    are grey. The page's script moves the focus.
    """
    import altair as alt

    height = max(300, min(1300, 14 * len(board.rows)))
    x = alt.X(
        "measure:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=list(board.measures), padding=0.3),
        axis=alt.Axis(labels=False, ticks=False, grid=True),
    )
    y = alt.Y(
        "rank:Q",
        title="Rank",
        scale=alt.Scale(reverse=True, domain=[0.3, len(board.rows) + 0.7], nice=False),
        axis=alt.Axis(values=_marks(len(board.rows)), grid=False, domain=False, format="d"),
    )
    every, focus = (
        alt.Chart(alt.NamedData(name=name)).encode(x=x, y=y, detail="run:N")
        for name in (POINTS, SHOWN)
    )
    heads = [{"measure": name, "short": short} for name, short in board.short.items()]
    layers = [
        *_lines_and_dots(every, focus),
        focus.transform_filter(f"datum.measure === {json.dumps(board.measures[-1])}")
        .mark_text(align="left", dx=10, style="end", limit=190)
        .encode(y=alt.Y("place:Q"), text="run:N")
        .properties(name="ends"),
        alt.Chart(alt.InlineData(values=heads), name="heads")
        .mark_text(angle=325, align="right", dx=4, style="head", limit=170)
        .encode(x=x, y=alt.value(height + 10), text="short:N", tooltip="measure:N"),
    ]
    spec = plain(
        alt.layer(*layers).properties(
            width="container",
            height=height,
            description="Bump chart: the rank of each run under each measure.",
        )
    )
    points = _points(board)
    spec["datasets"] = {**spec.get("datasets", {}), POINTS: points, SHOWN: _named(board, points)}
    return spec


def _named(board: Board, points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best runs of the leaderboard in focus; the page's script makes the same of others.

    On paper, where nobody can point at a line, few runs have all their names.
    """
    best = {row.run: at for at, row in enumerate(board.rows[:FOCUS])}
    few = len(board.rows) <= 30
    return [
        {**{key: point[key] for key in ("run", "measure", "rank", "place")}, "tone": tone}
        for point in points
        if (tone := best.get(point["run"])) is not None or few
    ]


def _points(board: Board) -> list[dict[str, Any]]:
    """Every run under every measure."""
    ranks = [
        ranks_of(np.array([row.cells[at].value for row in board.rows]))
        for at in range(len(board.measures))
    ]
    places = _spread([column[-1] for column in zip(*ranks, strict=True)])
    return [
        {
            "run": row.run,
            "team": row.group,
            "measure": measure,
            "rank": ranks[at][number],
            "value": round(row.cells[at].value, 6),
            "place": places[number],
        }
        for number, row in enumerate(board.rows)
        for at, measure in enumerate(board.measures)
    ]


def _lines_and_dots(every: Any, shown: Any) -> list[Any]:
    """Grey lines and dots, over them those in focus, then unseen larger dots for the pointer."""
    import altair as alt

    near = alt.selection_point(
        name="near_run", fields=["run"], on="pointerover", clear="pointerout", empty=False
    )
    tones = alt.Scale(domain=list(range(FOCUS)))
    colour = alt.Color("tone:N", legend=None, scale=tones)
    shape = alt.Shape("tone:N", legend=None, scale=tones)

    def larger(usual: float, pointed: float) -> Any:
        return alt.when(near).then(alt.value(pointed)).otherwise(alt.value(usual))

    focus = shown.transform_filter("datum.tone !== null")
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("team:N", title="Team"),
        alt.Tooltip("measure:N", title="Measure"),
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("value:Q", title="Mean", format=".4f"),
    ]
    return [
        every.mark_line(interpolate="monotone", style="rest")
        .encode(strokeWidth=larger(1, 4))
        .properties(name="rest"),
        every.mark_point(filled=True, style="rest").encode(size=larger(14, 90)),
        focus.mark_line(interpolate="monotone")
        .encode(color=colour, strokeWidth=larger(2, 5))
        .properties(name="ranks"),
        focus.mark_point(filled=True, opacity=1)
        .encode(color=colour, shape=shape, size=larger(55, 130))
        .properties(name="dots"),
        every.mark_point(filled=True, opacity=0, size=260)
        .encode(tooltip=tooltip)
        .add_params(near)
        .properties(name="pointed"),
    ]


def _marks(runs: int) -> list[int]:
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000) if runs / s <= 15)
    return sorted({1, *range(step, runs + 1, step)})


def _spread(ranks: list[int]) -> list[float]:
    """Where to write the names: runs that tie share a rank, their names go one below the other."""
    places, place = [0.0] * len(ranks), 0.0
    for run in sorted(range(len(ranks)), key=lambda run: (ranks[run], run)):
        place = max(place + 1, ranks[run])
        places[run] = place
    return places
