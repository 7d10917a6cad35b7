"""How far each measure agrees with people: which runs they preferred, and how they rated them."""

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
    """Agreement with intervals, all pairs of measures tested, and what stands out."""
    found = report.tables(*map(report.results.people, ("measures", "comparisons")))
    if not found:
        return None
    measures = found[0]
    read = list(dict.fromkeys(row["dimensions"] for row in measures))
    parts, charts = [], []
    for kind in dict.fromkeys(row["people"] for row in measures):
        rows, compared = ([row for row in part if row["people"] == kind] for part in found)
        rows.sort(key=lambda row: -float(row["agreement"]))
        facts = told(rows, compared, contrast=report.contrast)
        parts.append((kind, WORDS[kind], facts, rows, compared))
        title = f"How often each measure agrees with people's {WORDS[kind]}"
        spec = chart(rows, read=read)
        charts.append(Chart(name=f"people_{kind}", title=title, spec=spec, around=80))
    percent = f"{100 * float(measures[0]['confidence']):g}"
    return Content({"parts_of": parts, "level": LEVEL, "percent": percent}, charts)


def told(rows: Rows, pairs: Rows, *, contrast: tuple[str, str]) -> dict[str, Any]:
    """What stands out; `rows` are from the measure that agrees most to the one that does least."""
    best = [row["measure"] for row in rows if row["agreement"] == rows[0]["agreement"]]
    tested = {
        frozenset((row["measure_a"], row["measure_b"])): row
        for row in pairs
        if row["statistic"] == "agreement"
    }
    read = {row["measure"]: row["dimensions"] for row in rows}
    near = None  # the measures that do not differ significantly from the only best one
    if len(best) == 1 and len(rows) > 1:
        others = [row["measure"] for row in rows[1:]]
        near = [m for m in others if float(tested[frozenset((best[0], m))]["p_holm"]) >= LEVEL]
    return {
        "best": best,
        "first": rows[0],
        "near": near,
        # The row that orders rated runs most as people do, and the pair of the contrasted measures.
        "top": max(rows, key=lambda row: float(row["tau_b"])) if rows[0]["tau_b"] else None,
        "asked": tested.get(frozenset(contrast)),
        "people_tie": int(rows[0]["people_tie"]),
        # The pairs of measures that combine the same dimensions.
        "same": [
            {"dimensions": read[row["measure_a"]], **row}
            for row in pairs
            if read[row["measure_a"]] == read[row["measure_b"]] and " + " in read[row["measure_a"]]
        ],
    }


def chart(rows: Rows, *, read: Sequence[str]) -> Spec:
    """Each measure's agreement with its interval.

    `read` are all sets of dimensions that measures read, so that charts share their colours.
    """
    order = [row["measure"] for row in rows]
    values = [{**row, **{key: float(row[key]) for key in INTERVAL}} for row in rows]
    return filled(
        "people.yaml",
        {"measures": values, "coin": [{"coin": 0.5}]},
        height=26 * len(rows),
        order=order,
        short=shown_short(order),
        read=list(read),
    )
