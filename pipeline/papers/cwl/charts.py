"""Charts of user models: a panel for each user, and how deep they go."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.papers.cwl.users import User, panel, points
from pipeline.report.chart import Chart
from pipeline.report.drawing import plain

COLUMNS = 3
WIDTH, HEIGHT = 290, 120  # of a panel
AROUND = 62  # a panel's titles and axes
CURVES = ("C", "W", "L")


def panels(found: Sequence[User], *, gains: Sequence[float]) -> Chart:
    """C, W and L of every user, the deepest last."""
    import altair as alt

    shown = sorted(found, key=lambda user: user.depth)
    values = [*points(shown)]
    for user in shown:  # the list itself, in every panel
        values += [
            {"user": panel(user), "curve": "gain", "rank": rank, "value": gain}
            for rank, gain in enumerate(gains, start=1)
            if gain
        ]
    base = alt.Chart().encode(
        x=alt.X("rank:Q", title="Rank", axis=alt.Axis(tickMinStep=1, grid=False)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1])),
        tooltip=[
            alt.Tooltip("user:N", title="User"),
            alt.Tooltip("curve:N", title="Curve"),
            alt.Tooltip("rank:Q", title="Rank"),
            alt.Tooltip("value:Q", title="Value", format=".4f"),
        ],
    )
    lines = base.transform_filter(alt.datum.curve != "gain").mark_line(strokeWidth=2)
    found_at = base.transform_filter(alt.datum.curve == "gain")
    drawn = (
        alt.layer(
            found_at.mark_rule(style="equal").encode(y=alt.Y("value:Q"), y2=alt.datum(0)),
            lines.encode(
                color=alt.Color("curve:N", title=None, scale=alt.Scale(domain=list(CURVES)))
            ),
            data=alt.InlineData(values=values),
        )
        .properties(width=WIDTH, height=HEIGHT)
        .facet(
            facet=alt.Facet(
                "user:N",
                title=None,
                sort=[panel(user) for user in shown],
                header=alt.Header(
                    labelExpr="split(datum.label, ' | ')", labelLimit=WIDTH + 20, labelLineHeight=15
                ),
            ),
            columns=COLUMNS,
        )
        .properties(description="C, W and L of every user model, rank by rank.")
    )
    rows = math.ceil(len(shown) / COLUMNS)
    return Chart(
        name="users",
        title="C, W and L, rank by rank",
        spec=plain(drawn),
        around=rows * (HEIGHT + AROUND),
        wide=True,
    )


def depths(found: Sequence[User], nothing: Mapping[str, float]) -> Chart:
    """Expected depth of every user, on the list and where nothing gains."""
    import altair as alt

    shown = sorted(found, key=lambda user: user.depth)
    kinds = ("this list", "nothing gains")
    values = [
        {"user": user.label, "list": kind, "depth": depth, "low": min(pair), "high": max(pair)}
        for user in shown
        for pair in [(user.depth, nothing[user.name])]
        for kind, depth in zip(kinds, pair, strict=True)
    ]
    y = alt.Y(
        "user:N", title=None, sort=[user.label for user in shown], axis=alt.Axis(labelLimit=300)
    )
    scale = alt.Scale(type="log", nice=False)
    base = alt.Chart(alt.InlineData(values=values)).encode(y=y)
    kind: dict[str, Any] = {"title": None, "scale": alt.Scale(domain=list(kinds))}
    drawn = alt.layer(
        base.mark_rule(style="open").encode(
            x=alt.X("low:Q", title="Expected depth, in documents", scale=scale), x2="high:Q"
        ),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            x=alt.X("depth:Q"),
            color=alt.Color("list:N", **kind),
            shape=alt.Shape("list:N", **kind),
            tooltip=[
                alt.Tooltip("user:N", title="User"),
                alt.Tooltip("list:N", title="On"),
                alt.Tooltip("depth:Q", title="Expected depth", format=",.2f"),
            ],
        ),
    ).properties(
        width="container", height=20 * len(shown), description="Expected depth of every user."
    )
    return Chart(name="depths", title="How deep users go", spec=plain(drawn), wide=True)
