"""The charts of UBIRE."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.papers.ubire.official import Pair
from pipeline.report.chart import Chart
from pipeline.report.drawing import axis, plain, span
from pipeline.storage.arrays import Floats

SAME_X, SAME_Y = "same RBP, other uRBP", "same uRBP, other RBP"


def scatter(
    *,
    name: str,
    title: str,
    runs: Sequence[str],
    x: Floats,
    y: Floats,
    y_title: str,
    pairs: Mapping[str, Sequence[Pair]] | None = None,
    within: Mapping[str, tuple[float, float]] | None = None,
) -> Chart:
    """Figure 2: each run under RBP and another measure; marked pairs joined, by what they share."""
    import altair as alt

    points: list[dict[str, Any]] = [
        {"run": run, "x": round(float(a), 5), "y": round(float(b), 5)}
        for run, a, b in zip(runs, x, y, strict=True)
    ]
    if within:
        points = [one for one in points if all(low <= one[key] <= high
                  for key, (low, high) in within.items())]  # fmt: skip
    span_x = list(within["x"]) if within else span([one["x"] for one in points])
    span_y = list(within["y"]) if within else span([one["y"] for one in points])
    at: dict[str, Any] = {"x": alt.X("x:Q", **axis("RBP", within=span_x, ticks=7))}
    at["y"] = alt.Y("y:Q", **axis(y_title, within=span_y, ticks=7))
    layers = [
        alt.Chart(alt.InlineData(values=points), name="runs")
        .mark_point(style="mean", filled=True, size=60, opacity=0.55)
        .encode(
            **at,
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("x:Q", title="RBP", format=".4f"),
                alt.Tooltip("y:Q", title=y_title, format=".4f"),
            ],
        )
    ]
    marked = [
        {"x": round(float(x[place]), 5), "y": round(float(y[place]), 5),
         "run": runs[place], "kind": kind, "pair": f"{kind} {number}"}
        for kind, some in (pairs or {}).items()
        for number, pair in enumerate(some)
        for place in (pair.first, pair.second)
    ]  # fmt: skip
    if marked:
        colour = alt.Color("kind:N", title="Marked", scale=alt.Scale(domain=[SAME_X, SAME_Y]))
        base = alt.Chart(alt.InlineData(values=marked)).encode(**at, color=colour)
        layers += [
            base.mark_line(strokeWidth=2).encode(detail="pair:N").properties(name="joined"),
            base.mark_point(filled=True, size=110)
            .encode(tooltip=[alt.Tooltip("run:N", title="Run")])
            .properties(name="marked"),
        ]
    chart = alt.layer(*layers).properties(
        width="container", height=360, description=f"{y_title} against RBP, one point a run."
    )
    return Chart(name=name, title=title, spec=plain(chart))


def thresholds(
    *,
    name: str,
    title: str,
    y_title: str,
    runs: Sequence[str],
    x: Floats,
    ys: Mapping[int, Floats],
) -> Chart:
    """Figure 1: each run under RBP and simulated uRBP, a shape for each threshold."""
    import altair as alt

    points: list[dict[str, Any]] = [
        {"run": run, "x": round(float(a), 5), "y": round(float(b), 5), "th": f"th = {threshold}"}
        for threshold, y in ys.items()
        for run, a, b in zip(runs, x, y, strict=True)
    ]
    names = [f"th = {threshold}" for threshold in ys]
    coded: dict[str, Any] = {"title": "Threshold of FOG"}
    within = [span([one[key] for one in points]) for key in "xy"]
    chart = (
        alt.Chart(alt.InlineData(values=points), name="runs")
        .mark_point(size=60, strokeWidth=1.6)
        .encode(
            x=alt.X("x:Q", **axis("RBP", within=within[0], ticks=7)),
            y=alt.Y("y:Q", **axis(y_title, within=[0.0, within[1][1]], ticks=7)),
            color=alt.Color("th:N", scale=alt.Scale(domain=names), **coded),
            shape=alt.Shape(
                "th:N", scale=alt.Scale(domain=names, range=["circle", "cross", "diamond"]), **coded
            ),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("th:N", title="Threshold"),
                alt.Tooltip("x:Q", title="RBP", format=".4f"),
                alt.Tooltip("y:Q", title=y_title, format=".4f"),
            ],
        )
        .properties(width="container", height=340, description=f"{y_title} against RBP.")
    )
    return Chart(name=name, title=title, spec=plain(chart))
