"""The two contrasted measures against each other, and the pairs of runs they swap.

Charts are Vega-Lite specifications, built and validated with Altair. Colours, fonts and legend
places are left out on purpose: report.js gives them as a Vega config that follows the reader's
theme and screen. Every name Altair would count up is set here, and data are given as plain values,
so that a chart is the same bytes each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.report.board import FEW, Board, Row
from pipeline.report.certainty import Swap, surest
from pipeline.report.chart import BUTTONS, Chart
from pipeline.report.drawing import Spec, axis, legend, named, plain, span, zoomable
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import EXACT

Line = tuple[float, float]  # intercept and slope


@section("contrast", place=30, template="contrast.html.j2", title="Contrast")
def contrast(results: Results) -> Content | None:
    """The scatter plot of the contrasted measures, and the swaps."""
    board, swaps = results.board, results.swaps
    first, second = board.contrast
    if first == second:  # the campaign has one measure
        return None
    few = len(board.rows) <= FEW
    line = None if few else regression(board)
    drawn = Chart(
        name="scatter",
        title=f"{second} against {first}",
        spec=scatter(board, regression=line, swaps=surest(swaps)),
    )
    return Content(
        {
            "board": board,
            "buttons": BUTTONS,
            "regression": line,
            "swaps": swaps,
            "surest": surest(swaps),
            "movers": movers(board),
            "order": None if few else order(board),
        },
        [drawn],
    )


@dataclass(frozen=True)
class Order:
    """How far two measures order the runs alike."""

    pairs: int
    swapped: int
    tau: float


def order(board: Board) -> Order:
    """Count the pairs of runs that the two contrasted measures put in opposite order."""
    x, y = (np.array([board.cell(row, which).value for row in board.rows]) for which in (0, 1))
    first, second = np.triu_indices(len(x), 1)
    sides = [np.subtract(*np.round(values, EXACT)[[first, second]]) for values in (x, y)]
    return Order(len(first), int((sides[0] * sides[1] < 0).sum()), tau_b(x, y))


def movers(board: Board) -> dict[str, list[Row]]:
    """The runs that climb and fall furthest between the two, all of them where several do."""
    climbs = [row.climb for row in board.rows]
    ends = {"climb": max(climbs), "fall": min(climbs)}
    return {
        word: [row for row in board.rows if row.climb == end]
        for word, end in ends.items()
        if (end > 0 if word == "climb" else end < 0)
    }


def regression(board: Board) -> tuple[float, float] | None:
    """Least squares of the second contrasted measure on the first: (intercept, slope)."""
    points = [(board.cell(row, 0).value, board.cell(row, 1).value) for row in board.rows]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return mean_y - slope * mean_x, slope


def scatter(board: Board, *, regression: Line | None, swaps: Sequence[Swap] = ()) -> Spec:
    """Each run under the two contrasted measures, as figures 1 and 2 of Zuccon (ECIR 2016).

    The runs of `swaps`, which the two put in opposite order, are ringed and joined.
    """
    import altair as alt

    first, second = board.contrast
    runs: list[dict[str, Any]] = [
        {
            "run": row.run,
            "team": row.group,
            "x": board.cell(row, 0).value,
            "y": board.cell(row, 1).value,
            "rank_x": row.ranks[0],
            "rank_y": row.ranks[1],
            "leads": 1 in row.ranks,
        }
        for row in board.rows
    ]
    span_x = span([run["x"] for run in runs])
    span_y = span([run["y"] for run in runs])
    x = alt.X("x:Q", **axis(board.short[first], within=span_x, ticks=7))
    y = alt.Y("y:Q", **axis(board.short[second], within=span_y, ticks=7))
    layers = [
        _line(ends, name=name, x=x, y=y)
        for name, ends in (
            ("equal", _within(0.0, 1.0, span_x=span_x, span_y=span_y)),
            ("fit", _within(*regression, span_x=span_x, span_y=span_y) if regression else []),
        )
        if ends
    ]
    layers += _swapped(swaps, runs=runs, x=x, y=y)
    layers.append(_points(runs, board=board, x=x, y=y))
    layers += named([run for run in runs if run["leads"]], x=x, y=y)
    chart = alt.layer(*layers).properties(
        width="container",
        height=440,
        description=f"Scatter plot of {second} against {first}, one point a run.",
    )
    return plain(chart)


def _points(runs: list[dict[str, Any]], *, board: Board, x: Any, y: Any) -> Any:
    """A point for each run; choosing a team in the legend dims the others."""
    import altair as alt

    first, second = board.contrast
    chosen = alt.selection_point(name="chosen_team", fields=["team"], bind="legend")
    dimmed = alt.when(chosen).then(alt.value(0.9)).otherwise(alt.value(0.12))
    # Colour and shape have equal scales and legends, so that Vega-Lite draws one legend for both.
    team: dict[str, Any] = {
        "title": "Team",
        "scale": alt.Scale(domain=list(board.groups)),
        "legend": legend(board.groups),
    }
    return (
        alt.Chart(alt.InlineData(values=runs), name="runs")
        .mark_point(filled=True, size=110, clip=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color("team:N", **team),
            shape=alt.Shape("team:N", **team),
            opacity=dimmed,
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("team:N", title="Team"),
                alt.Tooltip("x:Q", title=first, format=".4f"),
                alt.Tooltip("y:Q", title=second, format=".4f"),
                alt.Tooltip("rank_x:Q", title=f"Rank by {first}"),
                alt.Tooltip("rank_y:Q", title=f"Rank by {second}"),
            ],
        )
        .add_params(chosen, zoomable())
    )


def _line(ends: list[dict[str, float]], *, name: str, x: Any, y: Any) -> Any:
    import altair as alt

    return (
        alt.Chart(alt.InlineData(values=ends), name=name)
        .mark_line(style=name, clip=True)
        .encode(x=x, y=y)
    )


def _within(
    intercept: float, slope: float, *, span_x: list[float], span_y: list[float]
) -> list[dict[str, float]]:
    """The ends of a line's part inside the plot; none where it passes by."""
    xs = list(span_x)
    if slope:
        crossings = sorted((edge - intercept) / slope for edge in span_y)
        xs = [max(xs[0], crossings[0]), min(xs[1], crossings[1])]
    elif not span_y[0] <= intercept <= span_y[1]:
        return []
    if xs[0] >= xs[1]:
        return []
    return [{"x": round(x, 6), "y": round(intercept + slope * x, 6)} for x in xs]


def _swapped(swaps: Sequence[Swap], *, runs: list[dict[str, Any]], x: Any, y: Any) -> list[Any]:
    """Rings around the runs that swap, and a line from each to the one it swaps with."""
    import altair as alt

    at = {run["run"]: {"x": run["x"], "y": run["y"]} for run in runs}
    if not swaps:
        return []
    lines = [
        {**at[run], "pair": number}
        for number, swap in enumerate(swaps)
        for run in (swap.run_a, swap.run_b)
    ]
    ringed = [at[run] for run in dict.fromkeys(r for s in swaps for r in (s.run_a, s.run_b))]
    return [
        alt.Chart(alt.InlineData(values=lines), name="swaps")
        .mark_line(style="swap", clip=True)
        .encode(x=x, y=y, detail="pair:N"),
        alt.Chart(alt.InlineData(values=ringed), name="swapped")
        .mark_point(style="ring", clip=True)
        .encode(x=x, y=y),
    ]
