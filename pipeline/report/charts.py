"""The report's charts as Vega-Lite specifications, built and validated with Altair.

Colours, fonts and legend places are left out on purpose: report.js gives them as a Vega config
that follows the reader's theme and screen. Every name Altair would count up is set here, and data
are given as plain values, so that a chart is the same bytes each time.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pipeline.report.certainty import Swap
from pipeline.report.data import Agreement, Board
from pipeline.report.drawing import Spec, plain, span

Line = tuple[float, float]


def scatter(board: Board, *, regression: Line | None, swaps: Sequence[Swap] = ()) -> Spec:
    """Each run under the two contrasted measures, as figures 1 and 2 of Zuccon (ECIR 2016).

    The runs of `swaps`, which the two put in opposite order, are ringed and joined.
    """
    import altair as alt

    first, second = board.contrast
    runs: list[dict[str, Any]] = [
        {
            "run": row.run,
            "team": row.team,
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
    ticks = alt.Axis(tickCount=7)
    x = alt.X(
        "x:Q", title=first, axis=ticks, scale=alt.Scale(domain=span_x, nice=False, zero=False)
    )
    y = alt.Y(
        "y:Q", title=second, axis=ticks, scale=alt.Scale(domain=span_y, nice=False, zero=False)
    )
    chosen = alt.selection_point(name="chosen_team", fields=["team"], bind="legend")
    dimmed = alt.when(chosen).then(alt.value(0.9)).otherwise(alt.value(0.12))
    # Colour and shape have equal scales and legends, so that Vega-Lite draws one legend for both.
    team: dict[str, Any] = {
        "title": "Team",
        "scale": alt.Scale(domain=list(board.teams)),
        "legend": alt.Legend(symbolOpacity=1, symbolLimit=100),
    }
    points = (
        alt.Chart(alt.InlineData(values=runs), name="runs")
        .mark_point(filled=True, size=110)
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
        .add_params(chosen)
    )
    middle = sum(span_x) / 2
    # In the left half a label starts above its point, in the right half it ends there.
    sides: tuple[tuple[Literal["left", "right"], int], ...] = (("left", -5), ("right", 5))
    labels = [
        alt.Chart(alt.InlineData(values=leaders), name=f"{style}_{side}")
        .mark_text(align=side, dx=dx, dy=-13, limit=240, style=style)
        .encode(x=x, y=y, text="run:N")
        for side, dx in sides
        if (leaders := [r for r in runs if r["leads"] and (r["x"] < middle) == (side == "left")])
        for style in ("halo", "label")  # the halo keeps the lines behind off the letters
    ]
    layers = [
        _line(ends, name=name, x=x, y=y)
        for name, ends in (
            ("equal", _within(0.0, 1.0, span_x=span_x, span_y=span_y)),
            ("fit", _within(*regression, span_x=span_x, span_y=span_y) if regression else []),
        )
        if ends
    ]
    layers += _swapped(swaps, runs=runs, x=x, y=y)
    chart = alt.layer(*layers, *labels, points).properties(
        width="container",
        height=440,
        description=f"Scatter plot of {second} against {first}, one point a run.",
    )
    return plain(chart)


def agreement(agreement: Agreement) -> Spec:
    """Heat map of a statistic between all measures, the cell's number written in it."""
    import altair as alt

    measures = list(agreement.measures)
    cells = [
        {"a": a, "b": b, "value": agreement.values[a, b]}
        for a in measures
        for b in measures
        if (a, b) in agreement.values
    ]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "b:N",
            title=None,
            scale=alt.Scale(domain=measures),
            axis=alt.Axis(labelAngle=-35),
        ),
        y=alt.Y("a:N", title=None, scale=alt.Scale(domain=measures)),
        tooltip=[
            alt.Tooltip("a:N", title="Measure"),
            alt.Tooltip("b:N", title="and"),
            alt.Tooltip("value:Q", title=agreement.statistic, format=".4f"),
        ],
    )
    # domainMid makes Vega-Lite use the config's diverging range, whose middle is the page's ground.
    shade = alt.Color(
        "value:Q",
        title=agreement.statistic,
        legend=None,
        scale=alt.Scale(domain=[-1, 1], domainMid=0, interpolate="lab"),
    )
    # White is legible on both themes' full colours; nearer 0 the theme's own ink for tiles is.
    text = alt.when("datum.value > 0.75 || datum.value < -0.97").then(alt.value("#ffffff"))
    numbers = base.mark_text(style="tile-number").encode(
        text=alt.Text("value:Q", format=".2f"), color=text
    )
    chart = alt.layer(
        base.mark_rect(style="tile").encode(color=shade).properties(name="cells"),
        numbers.properties(name="numbers"),
    ).properties(
        width="container",
        height=36 * len(measures),
        description=f"Heat map of {agreement.statistic} between the measures.",
    )
    return plain(chart)


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
        .mark_line(style="swap")
        .encode(x=x, y=y, detail="pair:N"),
        alt.Chart(alt.InlineData(values=ringed), name="swapped")
        .mark_point(style="ring")
        .encode(x=x, y=y),
    ]
