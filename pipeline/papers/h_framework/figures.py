"""The charts of the H framework."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.papers.outcome import Table
from pipeline.report.chart import Chart
from pipeline.report.drawing import axis, plain, span

Rows = Sequence[Mapping[str, float]]
SIGMA, THRESHOLD = 40.0, 40.0


def densities(means: Sequence[float]) -> Chart:
    """Figure 1: normal densities of labels, and the threshold of what can be understood."""
    import altair as alt
    from scipy.stats import norm

    labels = np.linspace(0, 100, 101)
    lines: list[dict[str, Any]] = [
        {
            "label": round(float(label), 2),
            "density": round(float(norm.pdf(label, mean, SIGMA)), 6),
            "mean": f"N({mean:g}, {SIGMA:g})",
        }
        for mean in means
        for label in labels
    ]
    x = alt.X("label:Q", title="Label of understandability (0 very easy, 100 very hard)",
              scale=alt.Scale(domain=[0, 100]))  # fmt: skip
    names = list(dict.fromkeys(line["mean"] for line in lines))
    chart = alt.layer(
        alt.Chart(alt.InlineData(values=lines), name="densities")
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=alt.Y("density:Q", title="Density"),
            color=alt.Color("mean:N", title="Labels", scale=alt.Scale(domain=names)),
        ),
        alt.Chart(alt.InlineData(values=[{"label": THRESHOLD}]), name="threshold")
        .mark_rule(style="limit")
        .encode(x=x),
    ).properties(width="container", height=280, description="Densities of synthetic labels.")
    return Chart(
        name="figure-1", title="Figure 1: labels of synthetic documents", spec=plain(chart)
    )


def cut(means: Sequence[float]) -> Table:
    """How many labels are cut to the ends of the scale, and how many can be understood."""
    from scipy.stats import norm

    return Table(
        name="figure-1-cut",
        title="Labels after cutting and rounding",
        columns=("Labels", "Share of 0", "Share up to 40", "Share of 100"),
        rows=[
            (
                f"N({mean:g}, {SIGMA:g})",
                float(norm.cdf(0.5, mean, SIGMA)),
                float(norm.cdf(THRESHOLD + 0.5, mean, SIGMA)),
                float(norm.sf(99.5, mean, SIGMA)),
            )
            for mean in means
        ],
    )


def parting(found: Mapping[int, Rows]) -> Chart:
    """How uRBP and H part as the dimensions' correlation grows."""
    import altair as alt

    points: list[dict[str, Any]] = [
        {
            "correlation": row["correlation"],
            "score": round(row[measure], 5),
            "measure": f"{measure}, {number} dimensions",
        }
        for number, rows in found.items()
        for measure in ("H", "uRBP")
        for row in rows
    ]
    names = list(dict.fromkeys(point["measure"] for point in points))
    within = span([point["score"] for point in points])
    coded: dict[str, Any] = {"title": "Measure", "scale": alt.Scale(domain=names)}
    chart = (
        alt.Chart(alt.InlineData(values=points), name="parting")
        .mark_line(point=alt.OverlayMarkDef(size=45), strokeWidth=2)
        .encode(
            x=alt.X("correlation:Q", title="Correlation of the dimensions"),
            y=alt.Y("score:Q", **axis("Mean score", within=[0.0, within[1]], ticks=6)),
            color=alt.Color("measure:N", **coded),
            shape=alt.Shape("measure:N", **coded),
            tooltip=[
                alt.Tooltip("measure:N", title="Measure"),
                alt.Tooltip("correlation:Q", title="Correlation"),
                alt.Tooltip("score:Q", title="Mean", format=".4f"),
            ],
        )
        .properties(width="container", height=320, description="uRBP and H by correlation.")
    )
    return Chart(name="correlation", title="uRBP and H as dimensions correlate", spec=plain(chart))


def parting_table(found: Mapping[int, Rows]) -> Table:
    """The numbers of the chart."""
    two, three = ({row["correlation"]: row for row in found[number]} for number in (2, 3))
    return Table(
        name="correlation",
        title="Mean uRBP and H by correlation",
        columns=(
            "Correlation",
            "uRBP",
            "H",
            "H less uRBP",
            "uRBP, 3 dimensions",
            "H, 3 dimensions",
        ),
        rows=[
            (
                f"{key:+.2f}",
                row["uRBP"],
                row["H"],
                row["H"] - row["uRBP"],
                three[key]["uRBP"] if key in three else None,
                three[key]["H"] if key in three else None,
            )
            for key, row in two.items()
        ],
    )
