"""Readability of the pages and simulated understandability (Zuccon, ECIR 2016).

The section has the distribution of each index, the pages within each threshold, and the tau-b and
tau-AP of a measure with the same measure biased by each user model.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.report.board import Board
from pipeline.report.charts import Chart, Spec, filled, teams
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.verdict import Related, related
from pipeline.report.wording import shown_short
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats

REASONS = {"language": "in another language"}  # texts of reasons; others are shown as they are
SCATTER = "reading-scatter"
_SHOWN = 0.995  # quantile: a few broken pages have an index in the hundreds


@section("reading", order=160, template="reading.html.j2", title="Readability")
def reading(report: Report) -> Content | None:
    """The distribution of each index, and the effect of each threshold on the measures."""
    board, results = report.board, report.results
    if not report.has(results.readability, results.page_problems):
        return None
    dimensions = report.provenance.dimensions
    estimates = {name: settings for name, settings in dimensions.items() if "model" in settings}
    used = list(dict.fromkeys(["fog", *(pair["index"] for pair in estimates.values())]))
    table = arrow.read(results.readability, [*used, "reason"])
    reasons = Counter(why for why in table["reason"].to_pylist() if why)
    problems = report.rows(results.page_problems)
    kinds = Counter(row["kind"] for row in problems)
    columns = {name: arrow.array(table[name], missing=np.nan) for name in used}
    values = {name: column[np.isfinite(column)] for name, column in columns.items()}
    available = [name for name in used if len(values[name])]
    products = related(board.measures, dimensions=report.dimensions, product=True)
    biased = [pair for pair in products if pair.dimension in estimates]
    models = [m for m in MODELS if any(pair["model"] == m for pair in estimates.values())]
    specs = {}
    for name in available:
        thresholds = {e["threshold"] for e in estimates.values() if e["index"] == name}
        specs[f"reading-{name}"] = distribution(values[name], name, sorted(thresholds))
    if biased:
        specs[SCATTER] = scatters(board, biased)
    content = {
        "documents": table.num_rows,
        "missing": kinds["missing"],
        "duplicates": kinds["duplicate"],
        "notes": [f"{row['where']}: {row['what']}" for row in problems if row["kind"] == "note"],
        "readable": len(values["fog"]),
        "reasons": {REASONS.get(why, why): count for why, count in sorted(reasons.items())},
        "indices": available,
        "quartiles": {n: np.percentile(values[n], [25, 50, 75]).tolist() for n in available},
        "models": {name: MODELS[name].title for name in models},
        "rows": _rows(report, estimates, biased, values, models),
        "known": INDICES,
    }
    charts = [
        Chart(name=name, title=spec["description"], spec=spec, wide=name == SCATTER)
        for name, spec in specs.items()
    ]
    return Content(content, charts)


def _rows(
    report: Report,
    estimates: Mapping[str, Mapping[str, Any]],
    biased: Sequence[Related],
    values: Mapping[str, Floats],
    models: Sequence[str],
) -> list[dict[str, Any]]:
    """One row per index, plain measure and threshold, with correlations per user model."""
    rows = report.rows(report.results.correlations)
    taus = {(row["measure_a"], row["measure_b"]): row for row in rows}
    bases = list(dict.fromkeys(pair.base for pair in biased)) or [""]
    keys = {name: (e["index"], e["model"], e["threshold"]) for name, e in estimates.items()}
    at = {(p.base, *keys[p.dimension]): taus.get((p.base, p.measure), {}) for p in reversed(biased)}
    table = []
    places = range(len(bases))
    rows_of = {(index, place, level) for index, _, level in keys.values() for place in places}
    for index, place, threshold in sorted(rows_of):
        finite, base = values[index], bases[place]
        easy = finite <= threshold if INDICES[index].easy == "low" else finite >= threshold
        accepted = {"accepted": int(easy.sum()), "share": float(easy.sum()) / max(1, len(finite))}
        cells = [at.get((base, index, model, threshold)) for model in models]  # or None
        row = {"index": index, "base": base, "threshold": threshold, "cells": cells}
        table.append(row | accepted)
    return table


def distribution(values: Floats, index: str, thresholds: Sequence[float]) -> Spec:
    """Histogram of an index over the documents, with a line at each threshold."""
    title = INDICES[index].title
    low, high = np.quantile(values, [1 - _SHOWN, _SHOWN])
    low, high = min([low, *thresholds]), max([high, *thresholds])
    width = max(0.5, round((high - low) / 40 * 2) / 2)
    edges = np.arange(np.floor(low / width) * width, high + 2 * width, width)
    counts, _ = np.histogram(values, edges)
    columns = (edges[:-1].tolist(), edges[1:].tolist(), counts.tolist())
    bars = [{"from": a, "to": b, "documents": n} for a, b, n in zip(*columns, strict=True)]
    return filled(
        "distribution.yaml",
        {"bars": bars, "thresholds": [{"at": t, "text": f"{t:g}"} for t in thresholds]},
        description=f"Histogram of {title} over the documents; lines at the thresholds.",
        title=title,
    )


def scatters(board: Board, biased: Sequence[Related]) -> Spec:
    """Each run under a plain and a biased measure, one plot per user model and threshold."""
    runs = [
        {**point, "plot": pair.measure}
        for pair in biased
        for point in board.points(pair.base, pair.measure)
    ]
    top = max(0.01, *(run[key] for run in runs for key in ("x", "y"))) * 1.05
    return filled(
        "biased.yaml",
        {"runs": runs, "equal": [{"x": 0.0, "y": 0.0}, {"x": top, "y": top}]},
        bases=", ".join(dict.fromkeys(board.short[pair.base] for pair in biased)),
        domain=[0, round(top, 4)],
        order=[pair.measure for pair in biased],
        short=shown_short(board.measures),
        team=teams(board.groups),
    )
