"""The plane of two dimensions of relevance: the same measure over each of them."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from pipeline.report.board import Board
from pipeline.report.chart import BUTTONS, Chart
from pipeline.report.drawing import NAMED, Spec, axis, legend, named, plain, span, zoomable
from pipeline.report.related import Related, planes
from pipeline.report.results import Results
from pipeline.report.section import Content, section


class Axis(NamedTuple):
    """A dimension, and the measure that speaks for it."""

    dimension: str
    measure: str


class Plane(NamedTuple):
    """Two dimensions under the same measure."""

    x: Axis
    y: Axis


@section("tradeoff", place=50, template="tradeoff.html.j2", title="Dimensions")
def tradeoff(results: Results) -> Content | None:
    """Every two dimensions under the first measure that is there for each of them."""
    board, dimensions = results.board, list(results.provenance.dimensions)
    found = pairs(planes(board.measures, dimensions=dimensions), first=dimensions[:1])
    if len(board.rows) < 2 or not found:
        return None
    drawn = [
        Chart(
            name="tradeoff" if not number else f"tradeoff-{number}",
            title=f"{plane.y.dimension} against {plane.x.dimension}",
            spec=chart(board, plane=plane),
        )
        for number, plane in enumerate(found)
    ]
    return Content({"drawn": drawn, "buttons": BUTTONS}, drawn)


def pairs(related: Sequence[Related], *, first: Sequence[str]) -> list[Plane]:
    """Every two dimensions, `first` among them, under the first measure of `related`."""
    if not related:
        return []
    base = related[0].base
    axes = [Axis(first[0], base)]
    axes += [Axis(one.dimension, one.measure) for one in related if one.base == base]
    return [Plane(x, y) for x, y in combinations(axes, 2)]


def chart(board: Board, *, plane: Plane) -> Spec:
    """Runs in the plane of two dimensions, with lines of equal H and the Pareto front."""
    import altair as alt

    runs = _runs(board, plane)
    front = pareto(runs)
    for run in runs:
        run["front"] = "yes" if run in front else "no"
    span_x, span_y = (span([run[key] for run in runs]) for key in ("x", "y"))
    heads = [_head(one, short=board.short[one.measure]) for one in plane]
    x = alt.X("x:Q", **axis(heads[0], within=span_x, ticks=6, grid=False))
    y = alt.Y("y:Q", **axis(heads[1], within=span_y, ticks=6, grid=False))
    lines = _contours(span_x, span_y)
    inside = span_x[1] - 0.02 * (span_x[1] - span_x[0])  # a name needs room on its right
    last = {point["level"]: point for point in lines if point["x"] < inside}
    contours = alt.Chart(alt.InlineData(values=lines), name="contours").mark_line(
        style="contour", clip=True
    )
    levels = alt.Chart(
        alt.InlineData(values=list(last.values())), name=f"{NAMED}_levels"
    ).mark_text(style="contour-label", align="right", dx=-2, dy=-6, clip=True)
    fronts = alt.Chart(alt.InlineData(values=front), name="front").mark_line(
        style="front", interpolate="step-before", clip=True
    )
    ends = {run["run"] for run in front[:1] + front[-1:]}
    chart = alt.layer(
        contours.encode(x=x, y=y, detail="level:N"),
        fronts.encode(x=x, y=y),
        _points(runs, plane=plane, board=board).encode(x=x, y=y),
        levels.encode(x=x, y=y, text=alt.Text("level:Q", format=".2f")),
        *named([run for run in front if run["run"] in ends], x=x, y=y),
    ).properties(
        width="container",
        height=440,
        description=f"Runs by {plane.y.measure} against {plane.x.measure}, "
        "with lines of equal harmonic mean of the two means.",
    )
    return plain(chart)


def _head(one: Axis, *, short: str) -> str:
    return short if one.dimension in short else f"{short} {one.dimension}"


def _runs(board: Board, plane: Plane) -> list[dict[str, Any]]:
    """The runs with their two values and the harmonic mean of these."""
    at = [board.measures.index(name) for _, name in plane]
    runs: list[dict[str, Any]] = []
    for row in board.rows:
        x, y = (row.cells[place].value for place in at)
        h = 2 * x * y / (x + y) if x + y > 0 else 0.0
        runs.append({"run": row.run, "team": row.group, "x": x, "y": y, "h": round(h, 6)})
    return runs


def _points(runs: list[dict[str, Any]], *, plane: Plane, board: Board) -> Any:
    import altair as alt

    team: dict[str, Any] = {
        "title": "Team",
        "scale": alt.Scale(domain=list(board.groups)),
        "legend": legend(board.groups),
    }
    return (
        alt.Chart(alt.InlineData(values=runs), name="runs")
        .mark_point(filled=True, size=90, clip=True)
        .encode(
            color=alt.Color("team:N", **team),
            shape=alt.Shape("team:N", **team),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("team:N", title="Team"),
                alt.Tooltip("x:Q", title=plane.x.measure, format=".4f"),
                alt.Tooltip("y:Q", title=plane.y.measure, format=".4f"),
                alt.Tooltip("h:Q", title="Harmonic mean of the two means", format=".4f"),
                alt.Tooltip("front:N", title="On the Pareto front"),
            ],
        )
        .add_params(zoomable())
    )


def pareto(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs no other beats on one axis without losing on the other, from left to right."""
    best, front = float("-inf"), []
    for run in sorted(runs, key=lambda run: (-run["x"], -run["y"])):
        if run["y"] > best:
            best = run["y"]
            front.append(run)
    return front[::-1]


def _contours(span_x: list[float], span_y: list[float]) -> list[dict[str, float]]:
    """Points of the curves 2xy / (x + y) = level, for round levels inside the plane."""
    low = 2 * max(span_x[0], 1e-6) * max(span_y[0], 1e-6)
    low /= max(span_x[0], 1e-6) + max(span_y[0], 1e-6)
    high = 2 * span_x[1] * span_y[1] / (span_x[1] + span_y[1])
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1e9) if (high - low) / s <= 9)
    points = []
    level = step * (int(low / step) + 1)
    while level < high:
        # From where the curve enters through the top edge; denser there, where it is steep.
        start = max(span_x[0], level * span_y[1] / (2 * span_y[1] - level))
        for place in range(61):
            x = start + (span_x[1] - start) * (place / 60) ** 2
            y = level * x / (2 * x - level) if 2 * x > level else math.inf
            if span_y[0] <= y <= span_y[1] + 1e-9:
                points.append({"x": round(x, 5), "y": round(y, 5), "level": round(level, 4)})
        level += step
    return points
