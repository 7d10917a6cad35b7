"""How often each measure agrees with people: with their preferences and ratings of runs."""

from collections.abc import Sequence
from typing import Any

from pipeline.report.charts import Chart, Spec, filled
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.wording import shown_short

LEVEL = 0.05  # below which a corrected p is significant
WORDS = {"preferences": "preferences", "satisfaction": "ratings"}
INTERVAL = ("agreement", "lower", "upper")


@section("people", order=65, template="people.html.j2", title="People")
def people(report: Report) -> Content | None:
    """Agreement with confidence intervals, pairwise tests of the measures, and findings."""
    tables = report.tables(*map(report.results.people, ("measures", "comparisons")))
    if not tables:
        return None
    measures = tables[0]
    dimensions = list(dict.fromkeys(row["dimensions"] for row in measures))
    parts, charts = [], []
    for kind in dict.fromkeys(row["people"] for row in measures):
        rows, comparisons = ([row for row in table if row["people"] == kind] for table in tables)
        rows.sort(key=lambda row: -float(row["agreement"]))
        summary = facts(rows, comparisons, contrast=report.contrast)
        parts.append((kind, WORDS[kind], summary, rows, comparisons))
        title = f"How often each measure agrees with people's {WORDS[kind]}"
        spec = chart(rows, dimensions=dimensions)
        charts.append(Chart(name=f"people_{kind}", title=title, spec=spec, around=80))
    percent = f"{100 * float(measures[0]['confidence']):g}"
    return Content({"parts_of": parts, "level": LEVEL, "percent": percent}, charts)


def facts(rows: Rows, pairs: Rows, *, contrast: tuple[str, str]) -> dict[str, Any]:
    """The main findings; `rows` are in order of agreement, the highest first."""
    best = [row["measure"] for row in rows if row["agreement"] == rows[0]["agreement"]]
    tested = {
        frozenset((row["measure_a"], row["measure_b"])): row
        for row in pairs
        if row["statistic"] == "agreement"
    }
    dimensions = {row["measure"]: row["dimensions"] for row in rows}
    near = None  # measures not significantly different from the best one, if a single one is best
    if len(best) == 1 and len(rows) > 1:
        others = [row["measure"] for row in rows[1:]]
        near = [m for m in others if float(tested[frozenset((best[0], m))]["p_holm"]) >= LEVEL]
    return {
        "best": best,
        "first": rows[0],
        "near": near,
        # The measure that correlates best with ratings, and the pair of contrasted measures.
        "top": max(rows, key=lambda row: float(row["tau_b"])) if rows[0]["tau_b"] else None,
        "contrast": tested.get(frozenset(contrast)),
        "people_tie": int(rows[0]["people_tie"]),
        # The pairs of measures that combine the same dimensions.
        "same": [
            {"dimensions": combined, **row}
            for row in pairs
            if " + " in (combined := dimensions[row["measure_a"]])
            and combined == dimensions[row["measure_b"]]
        ],
    }


def chart(rows: Rows, *, dimensions: Sequence[str]) -> Spec:
    """The agreement of each measure; charts share the colours of `dimensions`."""
    order = [row["measure"] for row in rows]
    values = [{**row, **{key: float(row[key]) for key in INTERVAL}} for row in rows]
    return filled(
        "people.yaml",
        {"measures": values, "chance": [{"chance": 0.5}]},
        height=26 * len(rows),
        order=order,
        short=shown_short(order),
        dimensions=list(dimensions),
    )
