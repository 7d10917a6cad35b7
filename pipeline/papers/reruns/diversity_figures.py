"""The charts of the analysis of variance."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.report.chart import Chart
from pipeline.report.drawing import plain
from pipeline.statistics.significance.factorial import RESIDUAL, Effect

TOGETHER = "interactions"


def shares(found: Mapping[str, Sequence[Effect]], *, name: str, title: str) -> Chart:
    """A bar a measure, cut into the shares of its effects; interactions are one part."""
    import altair as alt

    rows: list[dict[str, Any]] = []
    order: dict[str, None] = {}
    for measure, effects in found.items():
        parts: dict[str, float] = {}
        for one in effects:
            mixed = ":" in one.name or "*" in one.name
            part = TOGETHER if mixed else one.name
            parts[part] = parts.get(part, 0.0) + one.share
        parts[RESIDUAL] = parts.pop(RESIDUAL)  # the last one of the bar
        order |= dict.fromkeys(parts)
        rows += [
            {"measure": measure, "part": part, "share": round(share, 5), "place": place}
            for place, (part, share) in enumerate(parts.items())
        ]
    chart = (
        alt.Chart(alt.InlineData(values=rows), name=name)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title="Share of the variance", axis=alt.Axis(format="%")),
            y=alt.Y("measure:N", title=None, sort=list(found), axis=alt.Axis(labelLimit=240)),
            color=alt.Color("part:N", title="Effect", scale=alt.Scale(domain=list(order))),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("measure:N", title="Measure"),
                alt.Tooltip("part:N", title="Effect"),
                alt.Tooltip("share:Q", title="Share", format=".1%"),
            ],
        )
        .properties(width="container", height=36 * len(found) + 20, description=title)
    )
    return Chart(name=name, title=title, spec=plain(chart))
