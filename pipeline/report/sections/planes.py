"""Runs in the plane of two measures: the contrasted ones, and one measure on two dimensions."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pipeline.report.board import FEW, Board, Swap, furthest
from pipeline.report.charts import Chart, Spec, filled, span, teams
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.verdict import related
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import EXACT

Line = tuple[float, float]  # intercept and slope
Axis = tuple[str, str]  # a dimension, and the measure over it
MOST_SWAPS = 12  # swaps drawn: more would hide the runs


@section("contrast", order=30, template="contrast.html.j2", title="Contrast")
def contrast(report: Report) -> Content | None:
    """The scatter plot of the contrasted measures, and the swaps."""
    board, swaps = report.board, report.swaps
    first, second = board.contrast
    if first == second:  # the campaign has one measure
        return None
    few = len(board.rows) <= FEW
    line = None if few else regression(board)
    # The swaps with a bootstrap support of at least 50 %.
    supported = [swap for swap in swaps if swap.share >= 0.5][:MOST_SWAPS]
    spec = scatter(board, regression=line, swaps=supported)
    values = {
        "regression": line,
        "movers": furthest(board.rows, lambda row: row.climb),
        "swaps": swaps,
        "supported": supported,
        "order": None if few else order(board),
    }
    return Content(values, [Chart(name="scatter", title=f"{second} against {first}", spec=spec)])


def order(board: Board) -> tuple[int, int, float]:
    """The number of pairs of runs, that of pairs in opposite order, and tau-b."""
    x, y = map(board.values, board.contrast)
    pair = np.array(np.triu_indices(len(x), 1))
    sides = [np.subtract(*np.round(values, EXACT)[pair]) for values in (x, y)]
    return pair.shape[1], int((sides[0] * sides[1] < 0).sum()), tau_b(x, y)


def regression(board: Board) -> Line | None:
    """Least squares of the second contrasted measure on the first: (intercept, slope)."""
    x, y = map(board.values, board.contrast)
    if not np.ptp(x):
        return None
    slope, intercept = np.polyfit(x, y, 1).tolist()
    return intercept, slope


def scatter(board: Board, *, regression: Line | None, swaps: Sequence[Swap]) -> Spec:
    """Each run under the two contrasted measures; rings and lines mark the runs of `swaps`."""
    first, second = board.contrast
    runs = [
        point | {"rank_x": row.ranks[0], "rank_y": row.ranks[1], "leads": 1 in row.ranks}
        for row, point in zip(board.rows, board.points(first, second), strict=True)
    ]
    at = {run["run"]: {"x": run["x"], "y": run["y"]} for run in runs}
    pairs = [(swap.run_a, swap.run_b) for swap in swaps]
    spans = [span([point[key] for point in at.values()]) for key in "xy"]
    return filled(
        "scatter.yaml",
        {
            "runs": runs,
            "equal": _within((0.0, 1.0), *spans),
            "fit": _within(regression, *spans) if regression else [],
            "swaps": [{**at[r], "pair": n} for n, pair in enumerate(pairs) for r in pair],
            "swapped": [at[run] for run in dict.fromkeys(run for pair in pairs for run in pair)],
            "named": [run for run in runs if run["leads"]],
        },
        description=f"Scatter plot of {second} against {first}, one point per run.",
        title_x=board.short[first],
        title_y=board.short[second],
        domain_x=spans[0],
        domain_y=spans[1],
        team=teams(board.groups),
        first=first,
        second=second,
        rank_first=f"Rank by {first}",
        rank_second=f"Rank by {second}",
    )


def _within(line: Line, span_x: list[float], span_y: list[float]) -> list[dict[str, float]]:
    """The ends of the visible part of a line; empty if it is outside the plot."""
    intercept, slope = line
    xs = span_x if span_y[0] <= intercept <= span_y[1] else []
    if slope:
        low, high = sorted((edge - intercept) / slope for edge in span_y)
        xs = [max(span_x[0], low), min(span_x[1], high)]
    inside = xs and xs[0] < xs[1]
    return [{"x": round(x, 6), "y": round(intercept + slope * x, 6)} for x in xs if inside]


@section("tradeoff", order=50, template="tradeoff.html.j2", title="Dimensions")
def tradeoff(report: Report) -> Content | None:
    """Every pair of dimensions under the first measure that is available for each."""
    board, dimensions = report.board, report.dimensions
    counterparts = related(board.measures, dimensions=dimensions)
    if len(board.rows) < 2 or not counterparts:
        return None
    base = counterparts[0].base
    axes = [(dimensions[0], base)]
    axes += [(pair.dimension, pair.measure) for pair in counterparts if pair.base == base]
    charts = []
    for number, (x, y) in enumerate(combinations(axes, 2)):
        name, title = f"tradeoff-{number}" if number else "tradeoff", f"{y[0]} against {x[0]}"
        charts.append(Chart(name=name, title=title, spec=dimension_plane(board, x, y)))
    return Content({"drawn": charts}, charts)


def dimension_plane(board: Board, *axes: Axis) -> Spec:
    """Runs in the plane of two dimensions, with lines of equal H and the Pareto front."""
    first, second = (measure for _, measure in axes)
    runs = board.points(first, second)
    front = pareto(runs)
    for run in runs:
        x, y = run["x"], run["y"]
        run["h"] = round(2 * x * y / (x + y) if x + y > 0 else 0.0, 6)
        run["front"] = "yes" if run in front else "no"
    span_x, span_y = (span([run[key] for run in runs]) for key in "xy")
    lines = _contours(span_x, span_y)
    inside = span_x[1] - 0.02 * (span_x[1] - span_x[0])  # leaves space for a name on the right
    ends = {run["run"] for run in front[:1] + front[-1:]}
    short = [(dimension, board.short[measure]) for dimension, measure in axes]
    titles = [name if dimension in name else f"{name} {dimension}" for dimension, name in short]
    return filled(
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
        team=teams(board.groups),
        first=first,
        second=second,
    )


def pareto(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs on the Pareto front, from left to right."""
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
    points = []
    level = step * (int(low / step) + 1)
    while level < high:
        # Starts where the curve crosses the top edge; points are denser where it is steep.
        start = max(span_x[0], level * span_y[1] / (2 * span_y[1] - level))
        for place in range(61):
            x = start + (span_x[1] - start) * (place / 60) ** 2
            y = level * x / (2 * x - level) if 2 * x > level else math.inf
            if span_y[0] <= y <= span_y[1] + 1e-9:
                points.append({"x": round(x, 5), "y": round(y, 5), "level": round(level, 4)})
        level += step
    return points
