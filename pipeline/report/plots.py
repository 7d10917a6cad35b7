"""Charts of runs across measures: ranks from measure to measure, and the plane of dimensions."""

import math
import re
from collections.abc import Sequence
from typing import Any

from pipeline.report.data import Board
from pipeline.report.drawing import Spec, plain, span
from pipeline.statistics.ranks import ranks_of

_ON = re.compile(r"(?:, |(?<=\())on=([^,()]+)(?:, )?")


def bump(board: Board) -> Spec:
    """The rank of each run under each measure, one line a run; pointing at a run picks it out."""
    import altair as alt
    import numpy as np

    ranks = [
        ranks_of(np.array([row.cells[at].value for row in board.rows]))
        for at in range(len(board.measures))
    ]
    points = [
        {
            "run": row.run,
            "team": row.team,
            "measure": measure,
            "rank": ranks[at][number],
            "value": round(row.cells[at].value, 6),
        }
        for number, row in enumerate(board.rows)
        for at, measure in enumerate(board.measures)
    ]
    near = alt.selection_point(
        name="near_run",
        fields=["run"],
        on="pointerover",
        nearest=True,
        empty=False,
        clear="mouseout",
    )
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
    colour = alt.Color("team:N", legend=None, scale=alt.Scale(domain=list(board.teams)))
    base = alt.Chart(alt.InlineData(values=points)).encode(x=x, y=y, color=colour, detail="run:N")
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
    layers = [lines.properties(name="ranks"), dots.properties(name="dots")]
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


def planes(measures: Sequence[str]) -> list[tuple[str, str, str]]:
    """Measures that differ only in their dimension: (base, base on another one, that one)."""
    found = []
    for measure in measures:
        if (other := _ON.search(measure)) and "(" in measure:
            base = _ON.sub("", measure, count=1).replace("()", "")
            if base in measures:
                found.append((base, measure, other.group(1)))
    return found


def tradeoff(board: Board, *, plane: tuple[str, str, str], first: str) -> Spec:
    """Runs in the plane of two dimensions, with lines of equal H and the Pareto front."""
    import altair as alt

    base, other, second = plane
    at = [board.measures.index(name) for name in (base, other)]
    runs: list[dict[str, Any]] = []
    for row in board.rows:
        x, y = (row.cells[place].value for place in at)
        h = 2 * x * y / (x + y) if x + y > 0 else 0.0
        runs.append({"run": row.run, "team": row.team, "x": x, "y": y, "h": round(h, 6)})
    front = pareto(runs)
    for run in runs:
        run["front"] = "yes" if run in front else "no"
    span_x, span_y = (span([run[axis] for run in runs]) for axis in ("x", "y"))
    axis = alt.Axis(tickCount=6, grid=False)
    x_at = alt.X(
        "x:Q",
        title=f"{first}: {base}",
        axis=axis,
        scale=alt.Scale(domain=span_x, nice=False, zero=False),
    )
    y_at = alt.Y(
        "y:Q",
        title=f"{second}: {other}",
        axis=axis,
        scale=alt.Scale(domain=span_y, nice=False, zero=False),
    )
    lines = _contours(span_x, span_y)
    last = {point["level"]: point for point in lines}
    team: dict[str, Any] = {"scale": alt.Scale(domain=list(board.teams)), "legend": None}
    contours = alt.Chart(alt.InlineData(values=lines), name="contours").mark_line(
        style="contour", clip=True
    )
    levels = alt.Chart(alt.InlineData(values=list(last.values())), name="levels").mark_text(
        style="contour-label", align="right", dx=-2, dy=-6
    )
    fronts = alt.Chart(alt.InlineData(values=front), name="front").mark_line(
        style="front", interpolate="step-before"
    )
    points = alt.Chart(alt.InlineData(values=runs), name="runs").mark_point(filled=True, size=90)
    named = [run for run in front if run["run"] in {r["run"] for r in front[:1] + front[-1:]}]
    labels = [
        alt.Chart(alt.InlineData(values=named), name=f"named_{style}")
        .mark_text(align="right", dx=-9, dy=-9, limit=240, style=style)
        .encode(x=x_at, y=y_at, text="run:N")
        for style in ("halo", "label")
    ]
    chart = alt.layer(
        contours.encode(x=x_at, y=y_at, detail="level:N"),
        levels.encode(x=x_at, y=y_at, text=alt.Text("level:Q", format=".2f")),
        fronts.encode(x=x_at, y=y_at),
        *labels,
        points.encode(
            x=x_at,
            y=y_at,
            color=alt.Color("team:N", **team),
            shape=alt.Shape("team:N", **team),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("team:N", title="Team"),
                alt.Tooltip("x:Q", title=base, format=".4f"),
                alt.Tooltip("y:Q", title=other, format=".4f"),
                alt.Tooltip("h:Q", title="Harmonic mean of the two", format=".4f"),
                alt.Tooltip("front:N", title="On the Pareto front"),
            ],
        ),
    ).properties(
        width="container",
        height=440,
        description=f"Runs by {other} against {base}, with lines of equal harmonic mean.",
    )
    return plain(chart)


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
