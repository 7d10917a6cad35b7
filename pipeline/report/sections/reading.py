"""Simulated understandability: how hard the pages are to read, and what that changes.

After Zuccon (ECIR 2016): the distribution of the index, the documents each threshold accepts, and
tau and tau_AP of a measure against the same measure biased by each user model at each threshold.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.report.board import Board
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, legend, plain
from pipeline.report.names import shown_short
from pipeline.report.related import biased as biased_measures
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import arrow, sheets

OTHERWISE = {"language": "in another language"}  # reasons that are no words to a reader
SCATTER = "reading-scatter"
_SHOWN = 0.995  # of the documents: a few broken pages have an index in the hundreds


@dataclass(frozen=True)
class Estimate:
    """An estimated dimension, as the campaign declares it."""

    name: str
    index: str
    model: str
    threshold: float


@dataclass(frozen=True)
class Biased:
    """A measure biased by an estimated dimension, and the plain one it is compared with."""

    measure: str
    base: str
    estimate: Estimate
    correlations: Mapping[str, float | None]  # tau_b and tau_ap


@dataclass(frozen=True)
class Row:
    """One threshold: what it accepts, and a biased measure for each user model (or none)."""

    index: str
    base: str
    threshold: float
    accepted: int
    share: float
    cells: tuple[Biased | None, ...]


@dataclass(frozen=True)
class Reading:
    """What the section shows."""

    documents: int
    readable: int
    reasons: Mapping[str, int]
    missing: int
    doubles: int
    notes: tuple[str, ...]
    indices: tuple[str, ...]
    quartiles: Mapping[str, tuple[float, float, float]]
    models: tuple[str, ...]
    rows: tuple[Row, ...]
    specs: Mapping[str, Spec]


@section(
    "reading",
    place=160,
    template="reading.html.j2",
    title="Reading",
    needs=["readability", "pages"],
)
def reading(results: Results) -> Content:
    """The distribution of each index, and what each threshold does to the measures."""
    files, dimensions = results.files, results.provenance.dimensions
    assert files.readability
    assert files.pages
    found = read(
        readability=files.readability,
        summary=files.pages,
        correlations=files.correlations,
        dimensions=dimensions,
        board=results.board,
    )
    drawn = [
        Chart(name=name, title=spec["description"], spec=spec, wide=name == SCATTER)
        for name, spec in found.specs.items()
    ]
    shown = {
        "reading": found,
        "names": {name: one.title for name, one in INDICES.items()},
        "models": {name: one.title for name, one in MODELS.items()},
        "easy": {name: one.easy for name, one in INDICES.items()},
    }
    return Content(shown, drawn)


def read(
    *,
    readability: Path,
    summary: Path,
    correlations: Path | None,
    dimensions: Mapping[str, Mapping[str, Any]],
    board: Board,
) -> Reading:
    """Join readability, the campaign's estimated dimensions and the correlations."""
    pages = json.loads(summary.read_text("utf-8"))
    estimates = [
        Estimate(name, given["index"], given["model"], given["threshold"])
        for name, given in dimensions.items()
        if "model" in given
    ]
    used = tuple(dict.fromkeys(["fog", *(estimate.index for estimate in estimates)]))
    table = arrow.read(readability, list(used))
    values = {name: _finite(arrow.array(table[name], missing=np.nan)) for name in used}
    biased = _biased(
        board,
        {estimate.name: estimate for estimate in estimates},
        _taus(correlations) if correlations else {},
        dimensions=list(dimensions),
    )
    models = tuple(m for m in MODELS if any(e.model == m for e in estimates))
    specs: dict[str, Spec] = {
        f"reading-{name}": distribution(values[name], name, estimates)
        for name in used
        if len(values[name])
    }
    if biased:
        specs[SCATTER] = scatters(board, biased)
    return Reading(
        documents=pages["documents"],
        readable=len(values["fog"]),
        reasons={OTHERWISE.get(why, why): number for why, number in pages["reasons"].items()},
        missing=pages["missing"],
        doubles=pages["doubles"],
        notes=tuple(pages["notes"]),
        indices=tuple(name for name in used if len(values[name])),
        quartiles={name: _quartiles(found) for name, found in values.items() if len(found)},
        models=models,
        rows=_rows(estimates, biased, values, models),
        specs=specs,
    )


def _finite(values: NDArray[Any]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = values[np.isfinite(values)]
    return found


def _quartiles(values: NDArray[np.float64]) -> tuple[float, float, float]:
    low, middle, high = np.percentile(values, [25, 50, 75]).tolist()
    return low, middle, high


def _taus(correlations: Path) -> dict[tuple[str, str], dict[str, float | None]]:
    return {
        (row["measure_a"], row["measure_b"]): {
            name: float(row[name]) if row.get(name) else None for name in ("tau_b", "tau_ap")
        }
        for row in sheets.read(correlations)
    }


def _biased(
    board: Board,
    estimates: Mapping[str, Estimate],
    taus: Mapping[tuple[str, str], Mapping[str, float | None]],
    *,
    dimensions: Sequence[str],
) -> list[Biased]:
    """The measures over an estimated dimension whose plain counterpart is in the campaign too."""
    return [
        Biased(
            one.measure, one.base, estimates[one.dimension], taus.get((one.base, one.measure), {})
        )
        for one in biased_measures(board.measures, dimensions=dimensions)
        if one.dimension in estimates
    ]


def _rows(
    estimates: Sequence[Estimate],
    biased: Sequence[Biased],
    values: Mapping[str, NDArray[np.float64]],
    models: Sequence[str],
) -> tuple[Row, ...]:
    bases = tuple(dict.fromkeys(one.base for one in biased)) or ("",)
    keys = dict.fromkeys((e.index, base, e.threshold) for e in estimates for base in bases)
    rows = []
    for index, base, threshold in sorted(
        keys, key=lambda key: (key[0], bases.index(key[1]), key[2])
    ):
        found = values[index]
        easy = found <= threshold if INDICES[index].easy == "low" else found >= threshold
        cells = tuple(
            next(
                (
                    one
                    for one in biased
                    if one.base == base
                    and (one.estimate.index, one.estimate.threshold) == (index, threshold)
                    and one.estimate.model == model
                ),
                None,
            )
            for model in models
        )
        accepted = int(easy.sum())
        rows.append(Row(index, base, threshold, accepted, accepted / max(1, len(found)), cells))
    return tuple(rows)


def distribution(values: NDArray[np.float64], index: str, estimates: Sequence[Estimate]) -> Spec:
    """Histogram of an index over the documents, with a line at each threshold."""
    import altair as alt

    title = INDICES[index].title
    low, high = np.quantile(values, [1 - _SHOWN, _SHOWN])
    thresholds = sorted({e.threshold for e in estimates if e.index == index})
    low, high = min([low, *thresholds]), max([high, *thresholds])
    width = max(0.5, round((high - low) / 40 * 2) / 2)
    edges = np.arange(np.floor(low / width) * width, high + 2 * width, width)
    counts, _ = np.histogram(values, edges)
    bars = [
        {"from": float(a), "to": float(b), "documents": int(n)}
        for a, b, n in zip(edges, edges[1:], counts, strict=False)
    ]
    x = alt.X("from:Q", title=title, scale=alt.Scale(nice=False), bin="binned")
    histogram = (
        alt.Chart(alt.InlineData(values=bars), name="documents")
        .mark_bar()
        .encode(
            x=x,
            x2="to:Q",
            y=alt.Y("documents:Q", title="Documents"),
            tooltip=[
                alt.Tooltip("from:Q", title="From"),
                alt.Tooltip("to:Q", title="to"),
                alt.Tooltip("documents:Q", title="Documents"),
            ],
        )
    )
    marks = alt.InlineData(values=[{"at": t, "text": f"{t:g}"} for t in thresholds])
    rules = alt.Chart(marks, name="thresholds").mark_rule(style="fit").encode(x="at:Q")
    texts = (
        alt.Chart(marks, name="threshold_names")
        .mark_text(style="label", align="left", dx=4, baseline="top")
        .encode(x="at:Q", y=alt.value(2), text="text:N")
    )
    chart = alt.layer(histogram, *([rules, texts] if thresholds else [])).properties(
        width="container",
        height=260,
        description=f"Histogram of {title} over the documents; lines at the thresholds.",
    )
    return plain(chart)


def scatters(board: Board, biased: Sequence[Biased]) -> Spec:
    """Each run under a plain and a biased measure, a plot for each user model and threshold."""
    import altair as alt

    points: list[dict[str, Any]] = [
        {
            "run": row.run,
            "team": row.group,
            "plot": one.measure,
            "x": row.cells[board.measures.index(one.base)].value,
            "y": row.cells[board.measures.index(one.measure)].value,
        }
        for one in biased
        for row in board.rows
    ]
    top = max(0.01, *(point[key] for point in points for key in ("x", "y"))) * 1.05
    bases = ", ".join(dict.fromkeys(board.short[one.base] for one in biased))
    chart = (
        alt.layer(*_plot(bases, top=top, teams=board.groups))
        .properties(width=230, height=230)
        .facet(
            facet=alt.Facet(
                "plot:N",
                title=None,
                sort=[one.measure for one in biased],
                header=alt.Header(labelExpr=shown_short(board.measures)),
            ),
            columns=3,
            data=alt.InlineData(values=points),
        )
        .properties(
            description="Scatter plots of the runs under each biased measure against the plain one."
        )
    )
    return plain(chart)


def _plot(bases: str, *, top: float, teams: Sequence[str]) -> list[Any]:
    """One of the scatter plots: the line of equal scores, and the runs."""
    import altair as alt

    scale = alt.Scale(domain=[0, round(top, 4)], nice=False)
    x = alt.X("x:Q", title=bases, scale=scale, axis=alt.Axis(tickCount=4))
    y = alt.Y("y:Q", title="with understandability", scale=scale, axis=alt.Axis(tickCount=4))
    ends: list[dict[str, float]] = [{"x": 0.0, "y": 0.0}, {"x": top, "y": top}]
    equal = (
        alt.Chart(alt.InlineData(values=ends), name="equal_scores")
        .mark_line(style="equal")
        .encode(x=x, y=y)
    )
    team: dict[str, Any] = {
        "title": "Team",
        "scale": alt.Scale(domain=list(teams)),
        "legend": legend(teams),
    }
    runs = (
        alt.Chart(name="biased_runs")
        .mark_point(filled=True, size=60)
        .encode(
            x=x,
            y=y,
            color=alt.Color("team:N", **team),
            shape=alt.Shape("team:N", **team),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("plot:N", title="Measure"),
                alt.Tooltip("x:Q", title=bases, format=".4f"),
                alt.Tooltip("y:Q", title="with understandability", format=".4f"),
            ],
        )
    )
    return [equal, runs]
