"""The ranking of the runs by other ways to cleanse and to count the pages than the campaign's."""

from collections.abc import Iterator

from pipeline.pages.readability.index import INDICES
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.findings import Findings, Rows, Table, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import counted, listing, signed
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
        "findings": Findings(tuple(sentences(rows)), tuple(_tables(rows))),
        "measure": first["measure"],
        "way": _way(first),
    }
    return Content(values, [drawn])


def sentences(rows: Rows) -> Iterator[str]:
    """What stands out; the first row of a dimension and measure is the campaign's own way."""
    yield from _differences(rows)
    others = [
        (kind, worst)
        for kind, key, same in (("counter", "engine", "method"), ("cleansing", "method", "engine"))
        if (worst := _worst(rows, key=key, same=same))
    ]
    for kind, row in others:
        name = row["engine"] if kind == "counter" else row["method"]
        yield (
            f"Of the ways that differ in the {kind} alone, {name} moves the runs most: tau-b "
            f"{signed(float(row['tau_b']), 3)} with the campaign's own ranking under "
            f"{row['measure']}, the furthest by {counted(int(row['largest_move']), 'rank')}."
        )
    yield from _leaders(rows)


def _differences(rows: Rows) -> Iterator[str]:
    """How far single pages are apart, once for each index."""
    seen: dict[str, dict[tuple[str, ...], str]] = {}
    for row in rows:
        if row["difference"]:
            seen.setdefault(row["index"], {})[tuple(row[key] for key in WAY)] = row["difference"]
    for index, found in seen.items():
        (method, engine, ends), *others = found
        counter = [way for way in others if way[0] == method and way[2] == ends]
        cleansing = [way for way in others if way[1] == engine and way[2] == ends]
        parts = [
            (f"with the counter {_named(counter, found, 1)}", counter),
            (f"with the cleansing {_named(cleansing, found, 0)}", cleansing),
        ]
        told = [text for text, ways in parts if ways]
        if told:
            yield (
                f"The {INDICES[index].title} of a page differs on average from the one by "
                f"{method} and {engine}: {'; '.join(told)}."
            )


def _named(ways: list[tuple[str, ...]], found: dict[tuple[str, ...], str], at: int) -> str:
    return listing(f"{way[at]} by {float(found[way]):.2f}" for way in ways) if ways else ""


def _worst(rows: Rows, *, key: str, same: str) -> dict[str, str] | None:
    """The ranking furthest from the campaign's own among those that differ from it in one thing."""
    own = next(row for row in rows if row["chosen"] == "1")
    alike = [
        row
        for row in rows
        if row["tau_b"]
        and row[key] != own[key]
        and all(row[name] == own[name] for name in (same, "sentence_ends"))
    ]
    return dict(min(alike, key=lambda row: float(row["tau_b"]))) if alike else None


def _leaders(rows: Rows) -> Iterator[str]:
    """Whether the same run comes first however pages are read."""
    own = {(r["dimension"], r["measure"]): r["leader"] for r in rows if r["chosen"] == "1"}
    others = [row for row in rows if row["chosen"] == "0"]
    moved = [row for row in others if row["leader"] != own[row["dimension"], row["measure"]]]
    if others and not moved:
        yield f"The same run leads in every other ranking ({len(others)})."
    elif moved:
        runs = listing(dict.fromkeys(row["leader"] for row in moved))
        yield (
            f"Another run leads in {len(moved)} of {counted(len(others), 'other ranking')} than "
            f"in the campaign's own: {runs}."
        )


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
                title="tau-b with the ranking of the campaign",
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
