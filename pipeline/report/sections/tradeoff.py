"""The plane of two dimensions of relevance: the same measure over each of them."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from pipeline.report import charts
from pipeline.report.board import Board
from pipeline.report.related import planes
from pipeline.report.report import Report
from pipeline.report.section import Content, section

Axis = tuple[str, str]  # a dimension, and the measure over it


@section("tradeoff", place=50, template="tradeoff.html.j2", title="Dimensions")
def tradeoff(report: Report) -> Content | None:
    """Every two dimensions under the first measure that is there for each of them."""
    board, dimensions = report.board, report.dimensions
    related = planes(board.measures, dimensions=dimensions)
    if len(board.rows) < 2 or not related:
        return None
    base = related[0].base
    axes = [(dimensions[0], base)]
    axes += [(one.dimension, one.measure) for one in related if one.base == base]
    drawn = [
        charts.Chart(
            name=f"tradeoff-{number}" if number else "tradeoff",
            title=f"{y[0]} against {x[0]}",
            spec=chart(board, x, y),
        )
        for number, (x, y) in enumerate(combinations(axes, 2))
    ]
    return Content({"drawn": drawn}, drawn)


def chart(board: Board, *axes: Axis) -> charts.Spec:
    """Runs in the plane of two dimensions, with lines of equal H and the Pareto front."""
    first, second = (measure for _, measure in axes)
    runs: list[dict[str, Any]] = [
        {"run": row.run, "team": row.group, "x": x, "y": y}
        | {"h": round(2 * x * y / (x + y) if x + y > 0 else 0.0, 6)}
        for row, (x, y) in zip(board.rows, board.plane(first, second), strict=True)
    ]
    front = pareto(runs)
    for run in runs:
        run["front"] = "yes" if run in front else "no"
    span_x, span_y = (charts.span([run[key] for run in runs]) for key in "xy")
    lines = _contours(span_x, span_y)
    inside = span_x[1] - 0.02 * (span_x[1] - span_x[0])  # a name needs room on its right
    ends = {run["run"] for run in front[:1] + front[-1:]}
    short = [(dimension, board.short[measure]) for dimension, measure in axes]
    titles = [name if dimension in name else f"{name} {dimension}" for dimension, name in short]
    return charts.filled(
        "tradeoff.yaml",
        {
            "runs": runs,
            "contours": lines,
            "levels": [*{point["level"]: point for point in lines if point["x"] < inside}.values()],
            "front": front,
            "named": [run for run in front if run["run"] in ends],
        },
        description=f"Runs by {second} against {first}, with lines of equal harmonic mean of the "
        "two means.",
        title_x=titles[0],
        title_y=titles[1],
        domain_x=span_x,
        domain_y=span_y,
        team=charts.teams(board.groups),
        first=first,
        second=second,
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
    left, below = max(span_x[0], 1e-6), max(span_y[0], 1e-6)
    low = 2 * left * below / (left + below)
    high = 2 * span_x[1] * span_y[1] / (span_x[1] + span_y[1])
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1e9) if (high - low) / s <= 9)
    found = []
    level = step * (int(low / step) + 1)
    while level < high:
        # From where the curve enters through the top edge; denser there, where it is steep.
        start = max(span_x[0], level * span_y[1] / (2 * span_y[1] - level))
        for place in range(61):
            x = start + (span_x[1] - start) * (place / 60) ** 2
            y = level * x / (2 * x - level) if 2 * x > level else math.inf
            if span_y[0] <= y <= span_y[1] + 1e-9:
                found.append({"x": round(x, 5), "y": round(y, 5), "level": round(level, 4)})
        level += step
    return found
