"""Charts that show one measure at a time; the page swaps the measure, so they name their data.

Each has a dataset called "shown", which the page fills from the numbers it has anyway; on paper it
holds the first contrasted measure.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.report.drawing import Spec, plain

SHOWN = "shown"


def intervals(*, runs: int, values: list[dict[str, Any]]) -> Spec:
    """Each run's mean with its interval over topics, and what unjudged documents leave open."""
    import altair as alt

    data = alt.NamedData(name=SHOWN)
    y = alt.Y(
        "run:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelFontSize=_font(runs))
    )
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("mean:Q", title="Mean", format=".4f"),
        alt.Tooltip("interval:N", title="95 % interval over topics"),
        alt.Tooltip("open:N", title="Bounds (unjudged)"),
        alt.Tooltip("letters:N", title="Group"),
    ]
    base = alt.Chart(data).encode(y=y, tooltip=tooltip)
    title = alt.X(
        "lower:Q", title="Mean over topics", axis=alt.Axis(tickCount=8), scale=alt.Scale(zero=False)
    )
    chart = alt.layer(
        base.mark_rule(style="open").encode(x=title, x2="upper:Q").properties(name="residual"),
        base.mark_rule(style="interval").encode(x="t_lower:Q", x2="t_upper:Q"),
        base.mark_point(style="mean").encode(x="mean:Q").properties(name="means"),
        base.mark_text(align="left", dx=8, style="end").encode(x="reach:Q", text="letters:N"),
    ).properties(
        width="container",
        height=_step(runs) * runs,
        description="Means of the runs with intervals, bounds and groups.",
    )
    return _with(plain(chart), values)


def difficulty(*, topics: int, values: list[dict[str, Any]]) -> Spec:
    """Each topic from hard to easy: the middle half of the runs, the median and the best."""
    import altair as alt

    data = alt.NamedData(name=SHOWN)
    x = alt.X(
        "topic:N",
        title="Topic, from hard to easy",
        sort=None,
        axis=alt.Axis(labelAngle=-90, labelFontSize=_font(topics), labels=topics <= 150),
    )
    tooltip = [
        alt.Tooltip("topic:N", title="Topic"),
        alt.Tooltip("text:N", title="Text"),
        alt.Tooltip("median:Q", title="Median run", format=".4f"),
        alt.Tooltip("low:Q", title="Lower quartile", format=".4f"),
        alt.Tooltip("high:Q", title="Upper quartile", format=".4f"),
        alt.Tooltip("best:Q", title="Best run", format=".4f"),
        alt.Tooltip("by:N", title="by"),
    ]
    base = alt.Chart(data).encode(x=x, tooltip=tooltip)
    width = max(2, min(9, 700 // max(1, topics)))
    chart = alt.layer(
        base.mark_rule(style="open").encode(
            y=alt.Y("worst:Q", title="Score of the runs"), y2="best:Q"
        ),
        base.mark_rule(style="interval", strokeWidth=width, strokeCap="butt").encode(
            y="low:Q", y2="high:Q"
        ),
        base.mark_point(style="mean", size=8 * width)
        .encode(y="median:Q")
        .properties(name="topics"),
    ).properties(
        width="container",
        height=300,
        description="Difficulty of the topics: spread of the runs' scores on each.",
    )
    return _with(plain(chart), values)


def heat(*, runs: int, topics: int, values: list[dict[str, Any]]) -> Spec:
    """Every score: runs from best to worst, topics from hard to easy."""
    import altair as alt

    chart = (
        alt.Chart(alt.NamedData(name=SHOWN), name="scores")
        .mark_rect(style="cell")
        .encode(
            x=alt.X(
                "topic:N",
                title="Topic, from hard to easy",
                sort=None,
                axis=alt.Axis(labelAngle=-90, labelFontSize=_font(topics), labels=topics <= 150),
            ),
            y=alt.Y(
                "run:N",
                title=None,
                sort=None,
                axis=alt.Axis(labelLimit=190, labelFontSize=_font(runs)),
            ),
            color=alt.Color("value:Q", title="Score", legend=alt.Legend(gradientLength=160)),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("topic:N", title="Topic"),
                alt.Tooltip("value:Q", title="Score", format=".4f"),
            ],
        )
        .properties(
            width="container",
            height=_step(runs) * runs,
            description="Heat map of scores: a row a run, a column a topic.",
        )
    )
    return _with(plain(chart), values)


def fog(*, pages: Sequence[float], shown: Sequence[float], limits: Mapping[str, float]) -> Spec:
    """How hard the pages are to read: all of them, and those the runs put first."""
    import altair as alt
    import numpy as np

    top = float(np.quantile(pages, 0.995))
    edges = np.linspace(0, max(1.0, np.ceil(top)), 41)
    groups = (("pages", pages), ("retrieved", shown))
    share = {
        name: np.histogram(np.clip(given, 0, edges[-1]), bins=edges)[0] / max(1, len(given))
        for name, given in groups
    }
    bars = [
        {
            "from": round(float(edges[at]), 3),
            "to": round(float(edges[at + 1]), 3),
            "none": 0,
            **{name: round(float(share[name][at]), 6) for name in share},
        }
        for at in range(len(edges) - 1)
    ]
    tooltip = [
        alt.Tooltip("from:Q", title="FOG from", format=".1f"),
        alt.Tooltip("to:Q", title="to", format=".1f"),
        alt.Tooltip("pages:Q", title="Share of all pages", format=".1%"),
    ]
    x = alt.X(
        "from:Q",
        title="Gunning FOG: years of school",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(tickCount=12, grid=False),
    )
    base = alt.Chart(alt.InlineData(values=bars)).encode(x=x)
    layers = [
        base.mark_rect(style="histogram")
        .encode(
            x2="to:Q",
            y=alt.Y("pages:Q", title="Share of pages", axis=alt.Axis(format="%", tickCount=5)),
            y2="none:Q",
            tooltip=tooltip,
        )
        .properties(name="pages")
    ]
    if len(shown):
        layers.append(
            base.mark_line(style="histogram-top", interpolate="step-after", strokeWidth=2)
            .encode(y="retrieved:Q")
            .properties(name="retrieved")
        )
    if limits:
        marks = [{"at": value, "name": name} for name, value in limits.items()]
        rule = alt.Chart(alt.InlineData(values=marks))
        layers += [
            rule.mark_rule(style="limit").encode(x="at:Q").properties(name="limits"),
            rule.mark_text(style="end", align="left", dx=5, y=10).encode(x="at:Q", text="name:N"),
        ]
    chart = alt.layer(*layers).properties(
        width="container", height=240, description="Distribution of the pages' Gunning FOG index."
    )
    return plain(chart)


def _with(spec: Spec, values: list[dict[str, Any]]) -> Spec:
    return {**spec, "datasets": {**spec.get("datasets", {}), SHOWN: values}}


def _step(count: int) -> int:
    return 16 if count <= 40 else 13 if count <= 100 else 7


def _font(count: int) -> int:
    return 12 if count <= 40 else 10 if count <= 100 else 6
