"""The two contrasted measures against each other, and the pairs of runs they swap."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.report import charts
from pipeline.report.board import FEW, Board, furthest
from pipeline.report.certainty import Swap, surest
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import EXACT

Line = tuple[float, float]  # intercept and slope


@section("contrast", place=30, template="contrast.html.j2", title="Contrast")
def contrast(report: Report) -> Content | None:
    """The scatter plot of the contrasted measures, and the swaps."""
    board, swaps = report.board, report.swaps
    first, second = board.contrast
    if first == second:  # the campaign has one measure
        return None
    few = len(board.rows) <= FEW
    line = None if few else regression(board)
    drawn = charts.Chart(
        name="scatter",
        title=f"{second} against {first}",
        spec=scatter(board, regression=line, swaps=surest(swaps)),
    )
    values = {
        "regression": line,
        "movers": furthest(board.rows, lambda row: row.climb),
        "swaps": swaps,
        "surest": surest(swaps),
        "order": None if few else order(board),
    }
    return Content(values, [drawn])


def order(board: Board) -> tuple[int, int, float]:
    """The pairs of runs, how many the two contrasted measures put in opposite order, and tau-b."""
    x, y = map(board.values, board.contrast)
    pair = np.array(np.triu_indices(len(x), 1))
    sides = [np.subtract(*np.round(values, EXACT)[pair]) for values in (x, y)]
    return pair.shape[1], int((sides[0] * sides[1] < 0).sum()), tau_b(x, y)


def regression(board: Board) -> Line | None:
    """Least squares of the second contrasted measure on the first: (intercept, slope)."""
    x, y = map(board.values, board.contrast)
    spread = float(((x - x.mean()) ** 2).sum())
    if spread == 0:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    return float(y.mean()) - slope * float(x.mean()), slope


def scatter(board: Board, *, regression: Line | None, swaps: Sequence[Swap]) -> charts.Spec:
    """Each run under the two contrasted measures; the runs of `swaps` are ringed and joined."""
    first, second = board.contrast
    runs: list[dict[str, Any]] = [
        {"run": row.run, "team": row.group, "x": x, "y": y}
        | {"rank_x": row.ranks[0], "rank_y": row.ranks[1], "leads": 1 in row.ranks}
        for row, (x, y) in zip(board.rows, board.plane(first, second), strict=True)
    ]
    at = {run["run"]: {"x": run["x"], "y": run["y"]} for run in runs}
    pairs = [(swap.run_a, swap.run_b) for swap in swaps]
    spans = [charts.span([point[key] for point in at.values()]) for key in "xy"]
    return charts.filled(
        "scatter.yaml",
        {
            "runs": runs,
            "equal": _within((0.0, 1.0), *spans),
            "fit": _within(regression, *spans) if regression else [],
            "swaps": [{**at[r], "pair": n} for n, pair in enumerate(pairs) for r in pair],
            "swapped": [at[run] for run in dict.fromkeys(run for pair in pairs for run in pair)],
            "named": [run for run in runs if run["leads"]],
        },
        description=f"Scatter plot of {second} against {first}, one point a run.",
        title_x=board.short[first],
        title_y=board.short[second],
        domain_x=spans[0],
        domain_y=spans[1],
        team=charts.teams(board.groups),
        first=first,
        second=second,
        rank_first=f"Rank by {first}",
        rank_second=f"Rank by {second}",
    )


def _within(line: Line, span_x: list[float], span_y: list[float]) -> list[dict[str, float]]:
    """The ends of a line's part inside the plot; none where it passes by."""
    intercept, slope = line
    xs = list(span_x)
    if slope:
        crossings = sorted((edge - intercept) / slope for edge in span_y)
        xs = [max(xs[0], crossings[0]), min(xs[1], crossings[1])]
    elif not span_y[0] <= intercept <= span_y[1]:
        return []
    if xs[0] >= xs[1]:
        return []
    return [{"x": round(x, 6), "y": round(intercept + slope * x, 6)} for x in xs]
