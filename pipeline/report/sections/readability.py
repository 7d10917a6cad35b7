"""How hard the pages are to read: all of them, and those the runs put first."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.results import Files, Results
from pipeline.report.section import Content, section
from pipeline.storage import arrow


@section("readability", place=170, template="readability.html.j2", needs=["readability"])
def readability(results: Results) -> Content | None:
    """The distribution of FOG, where the section on reading does not show it."""
    if results.files.pages:
        return None
    drawn = chart(results.files, dimensions=results.provenance.dimensions)
    return Content(charts=[drawn]) if drawn else None


def chart(files: Files, *, dimensions: Mapping[str, Mapping[str, Any]]) -> Chart | None:
    """FOG of all pages and of those in some run's first ten; thresholds of estimates by it."""
    assert files.readability
    table = arrow.read(files.readability, ["document", "fog"])
    values = arrow.array(table["fog"], missing=np.nan)
    known = np.isfinite(values)
    if not known.any():
        return None
    shown: list[float] = []
    if files.top_documents:
        retrieved = _documents(files.top_documents)
        documents = table["document"].to_pylist()
        each = zip(documents, values, known, strict=True)
        shown = [value for document, value, is_known in each if is_known and document in retrieved]
    limits = {
        f"{name}: {given['threshold']:g}": float(given["threshold"])
        for name, given in dimensions.items()
        if given.get("index") == "fog" and given.get("threshold")
    }
    spec = fog(pages=values[known].tolist(), shown=shown, limits=limits)
    return Chart(name="fog", title="Readability of the pages", spec=spec)


def _documents(path: Path) -> set[str]:
    """The documents of a table, each once."""
    column = arrow.read(path, ["document"], codes=["document"]).combine_chunks()["document"]
    if not len(column):
        return set()
    names = column.chunk(0).dictionary
    return {names[at].as_py() for at in np.unique(arrow.array(column.chunk(0).indices))}


def fog(*, pages: Sequence[float], shown: Sequence[float], limits: Mapping[str, float]) -> Spec:
    """The share of pages by FOG, of those the runs put first, and the thresholds."""
    import altair as alt

    bars = _bars(pages, shown)
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


def _bars(pages: Sequence[float], shown: Sequence[float]) -> list[dict[str, float]]:
    """The share of each group in 40 ranges; the few pages beyond the last count in it."""
    top = float(np.quantile(pages, 0.995))
    edges = np.linspace(0, max(1.0, np.ceil(top)), 41)
    share = {
        name: np.histogram(np.clip(given, 0, edges[-1]), bins=edges)[0] / max(1, len(given))
        for name, given in (("pages", pages), ("retrieved", shown))
    }
    return [
        {
            "from": round(float(edges[at]), 3),
            "to": round(float(edges[at + 1]), 3),
            "none": 0,
            **{name: round(float(share[name][at]), 6) for name in share},
        }
        for at in range(len(edges) - 1)
    ]
