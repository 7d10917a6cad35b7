"""The ranking of the runs by other ways to cleanse and to count the pages than the campaign's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.pages.readability.index import INDICES
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.findings import Findings, Rows, Table, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILE = "counters.csv"
WAY = ("method", "engine", "sentence_ends")
PAGES = (*WAY, "pages", "both", "difference", "pages_tau_b")
RANKING = ("measure", "mean", "tau_b", "tau_ap_b", "top10_changes", "largest_move", "leader")


@section("counters", place=165, template="counters.html.j2", title="Counters", needs=[FILE])
def counters(results: Results) -> Content | None:
    """What another counter and another cleansing change, in pages and in the ranking."""
    rows = sheets.read(results.files.tables[FILE])
    if not rows:
        return None
    first = rows[0]
    mine = [
        r for r in rows if (r["dimension"], r["measure"]) == (first["dimension"], first["measure"])
    ]
    drawn = Chart(
        name="counters",
        title=f"{first['measure']} by other ways to cleanse and to count",
        spec=chart(mine),
        around=80,
    )
    values = {
        "findings": Findings(tuple(_tables(rows))),
        "counted_otherwise": told(rows),
        "measure": first["measure"],
        "way": _way(first),
    }
    return Content(values, [drawn])


@dataclass(frozen=True)
class Difference:
    """How far the index of single pages is from the campaign's own, by what else is used alone."""

    index: str
    counters: tuple[tuple[str, float], ...]
    cleansings: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Told:
    """What stands out; the first row of a dimension and measure is the campaign's own way."""

    differences: tuple[Difference, ...]
    worst: tuple[tuple[str, str, Mapping[str, str]], ...]  # kind of change, its name, its ranking
    others: int  # rankings by other ways than the campaign's
    leaders: tuple[str, ...]  # who comes first in some of these and not in the campaign's own,
    moved: int  # in how many


def told(rows: Rows) -> Told:
    """What the template puts into words."""
    own = {(r["dimension"], r["measure"]): r["leader"] for r in rows if r["chosen"] == "1"}
    others = [row for row in rows if row["chosen"] == "0"]
    moved = [row for row in others if row["leader"] != own[row["dimension"], row["measure"]]]
    alone = (("counter", "engine", "method"), ("cleansing", "method", "engine"))
    return Told(
        differences=tuple(_differences(rows)),
        worst=tuple(
            (kind, worst[key], worst)
            for kind, key, same in alone
            if (worst := _worst(rows, key=key, same=same))
        ),
        others=len(others),
        leaders=tuple(dict.fromkeys(row["leader"] for row in moved)),
        moved=len(moved),
    )


def _differences(rows: Rows) -> Iterator[Difference]:
    """How far single pages are apart, once for each index."""
    seen: dict[str, dict[tuple[str, ...], str]] = {}
    for row in rows:
        if row["difference"]:
            seen.setdefault(row["index"], {})[tuple(row[key] for key in WAY)] = row["difference"]
    for index, found in seen.items():
        (method, engine, ends), *others = found
        counters = [way for way in others if way[0] == method and way[2] == ends]
        cleansings = [way for way in others if way[1] == engine and way[2] == ends]
        if counters or cleansings:
            yield Difference(
                INDICES[index].title,
                tuple((way[1], float(found[way])) for way in counters),
                tuple((way[0], float(found[way])) for way in cleansings),
            )


def _worst(rows: Rows, *, key: str, same: str) -> Mapping[str, str] | None:
    """The ranking furthest from the campaign's own among those that differ from it in one thing."""
    own = next(row for row in rows if row["chosen"] == "1")
    alike = [
        row
        for row in rows
        if row["tau_b"]
        and row[key] != own[key]
        and all(row[name] == own[name] for name in (same, "sentence_ends"))
    ]
    return min(alike, key=lambda row: float(row["tau_b"])) if alike else None


def _tables(rows: Rows) -> Iterator[Table]:
    marked = [{**row, "method": row["method"] + " *" * (row["chosen"] == "1")} for row in rows]
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        mine = [row for row in marked if row["dimension"] == dimension]
        yield table(
            f"Rankings by {dimension}", mine, columns=(*WAY, *RANKING), open=mine[0] == marked[0]
        )
    for index in dict.fromkeys(row["index"] for row in rows):
        one = next(row for row in rows if row["index"] == index)
        own = [
            row
            for row in marked
            if all(row[key] == one[key] for key in ("index", "dimension", "measure"))
        ]
        yield table(f"{INDICES[index].title} of the pages", own, columns=PAGES)


def _way(row: dict[str, str]) -> str:
    return f"{row['method']} and {row['engine']}"


def chart(rows: Rows) -> Spec:
    """How near the ranking of each way is to the campaign's own."""
    import altair as alt

    values = [
        {
            "method": row["method"],
            "counter": row["engine"]
            + ("" if row["sentence_ends"] == rows[0]["sentence_ends"] else ", other sentence ends"),
            "tau": float(row["tau_b"]),
            "leader": row["leader"],
            "moved": int(row["largest_move"]),
        }
        for row in rows
        if row["tau_b"]
    ]
    methods, who = (
        list(dict.fromkeys(str(v[key]) for v in values)) for key in ("method", "counter")
    )
    scale = alt.Scale(domain=who)
    drawn = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=90, opacity=0.8)
        .encode(
            y=alt.Y("method:N", title=None, sort=methods),
            yOffset=alt.YOffset("counter:N", sort=who),
            x=alt.X(
                "tau:Q",
                title="tau-b with the ranking by the campaign's own way",
                scale=alt.Scale(zero=False, nice=False, padding=12),
                axis=alt.Axis(tickCount=6),
            ),
            color=alt.Color(
                "counter:N",
                title="Counter",
                scale=scale,
                legend=alt.Legend(orient="bottom", columns=2, labelLimit=360),
            ),
            shape=alt.Shape("counter:N", scale=scale),
            tooltip=[
                alt.Tooltip("method:N", title="Cleansing"),
                alt.Tooltip("counter:N", title="Counter"),
                alt.Tooltip("tau:Q", title="tau-b", format=".3f"),
                alt.Tooltip("moved:Q", title="Largest move"),
                alt.Tooltip("leader:N", title="Leader"),
            ],
        )
        .properties(
            width="container",
            height=56 * max(1, len(methods)),
            description="How near the ranking of the runs by each way is to the campaign's own.",
        )
    )
    return plain(drawn)
