"""How far each measure agrees with people: which they preferred, and how they rated."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.findings import Findings, Rows, Table, table
from pipeline.report.names import shown_short
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILES = ("people/measures.csv", "people/comparisons.csv")
LEVEL = 0.05  # below which a corrected p tells two measures apart
WORDS = {"preferences": "preferences", "satisfaction": "ratings"}
CORRELATIONS = (
    "topics", "tau_b", "tau_b_lower", "tau_b_upper", "spearman", "spearman_lower", "spearman_upper",
)  # fmt: skip
SHARES = ("agreement", "lower", "upper", "wilson_lower", "wilson_upper")
COUNTS = ("pairs", "agree", "tie", "disagree", "people_tie", "tie_too")
PAIRED = (
    "statistic", "measure_a", "measure_b", "difference", "lower", "upper", "p", "p_holm", "only_a",
    "only_b",
)  # fmt: skip


@section("people", place=65, template="people.html.j2", title="People", needs=FILES)
def people(results: Results) -> Content:
    """Agreement with intervals, every two measures tested, and what stands out."""
    measures, pairs = (sheets.read(results.files.tables[name]) for name in FILES)
    read = list(dict.fromkeys(row["dimensions"] for row in measures))
    parts, charts = [], []
    for kind, word in WORDS.items():
        mine = [row for row in measures if row["people"] == kind]
        if not mine:
            continue
        mine.sort(key=lambda row: -float(row["agreement"]))
        compared = [row for row in pairs if row["people"] == kind]
        found = told(mine, compared, contrast=results.contrast)
        shown = tuple(_tables(mine, compared, word=word))
        parts.append((kind, word, found, Findings(shown)))
        charts.append(
            Chart(
                name=f"people_{kind}",
                title=f"How often each measure agrees with people's {word}",
                spec=chart(mine, read=read),
                around=80,
            )
        )
    percent = f"{100 * float(measures[0]['confidence']):g}"
    return Content({"parts": parts, "level": LEVEL, "percent": percent}, charts)


@dataclass(frozen=True)
class Told:
    """What stands out of one kind of judgement."""

    best: tuple[str, ...]  # the measures that agree most
    first: Mapping[str, str]  # the row of these
    near: tuple[str, ...] | None  # those not told apart from the best; None: nothing to tell
    top: Mapping[str, str] | None  # the row that orders rated runs most as people do
    asked: Mapping[str, str] | None  # the pair of the two contrasted measures
    people_tie: int


def told(rows: Rows, pairs: Rows, *, contrast: tuple[str, str]) -> Told:
    """Found; `rows` are from the measure that agrees most to the one that does least."""
    best = [row["measure"] for row in rows if row["agreement"] == rows[0]["agreement"]]
    agreed = {
        frozenset((row["measure_a"], row["measure_b"])): row
        for row in pairs
        if row["statistic"] == "agreement"
    }
    near = [
        row["measure"]
        for row in rows[1:]
        if len(best) == 1 and float(agreed[frozenset((best[0], row["measure"]))]["p_holm"]) >= LEVEL
    ]
    return Told(
        best=tuple(best),
        first=rows[0],
        near=tuple(near) if len(best) == 1 and len(rows) > 1 else None,
        top=max(rows, key=lambda row: float(row["tau_b"])) if rows[0]["tau_b"] else None,
        asked=agreed.get(frozenset(contrast)),
        people_tie=int(rows[0]["people_tie"]),
    )


def _tables(rows: Rows, pairs: Rows, *, word: str) -> Iterator[Table]:
    yield table(f"Agreement with {word}", rows, columns=("measure", "dimensions", *SHARES, *COUNTS))
    if rows[0]["tau_b"]:
        yield table(f"Correlation with {word}", rows, columns=("measure", *CORRELATIONS))
    read = {row["measure"]: row["dimensions"] for row in rows}
    same = [
        {"dimensions": read[row["measure_a"]], **row}
        for row in pairs
        if read[row["measure_a"]] == read[row["measure_b"]] and " + " in read[row["measure_a"]]
    ]
    yield table(
        "Ways to combine the same dimensions", same, columns=("dimensions", *PAIRED), open=True
    )
    yield table("Every two measures", pairs, columns=PAIRED)


def chart(rows: Rows, *, read: Sequence[str]) -> Spec:
    """Each measure's agreement with its interval; a coin would be right half the time.

    `read` are all sets of dimensions that measures read, so that charts share their colours.
    """
    import altair as alt

    numbers = ("agreement", "lower", "upper")
    values = [{**row, **{key: float(row[key]) for key in numbers}} for row in rows]
    data = alt.InlineData(values=values)
    order = [row["measure"] for row in rows]
    y = alt.Y(
        "measure:N",
        title=None,
        sort=order,
        axis=alt.Axis(labelLimit=330, labelExpr=shown_short(order)),
    )
    tooltip = [
        alt.Tooltip("measure:N", title="Measure"),
        alt.Tooltip("dimensions:N", title="Reads"),
        *(alt.Tooltip(f"{key}:Q", title=key.capitalize(), format=".1%") for key in numbers),
        *(alt.Tooltip(f"{key}:N", title=key.capitalize()) for key in ("agree", "tie", "disagree")),
    ]
    base = alt.Chart(data).encode(y=y, tooltip=tooltip)
    x = alt.X(
        "lower:Q",
        title="Pairs of runs on which the measure agrees with people",
        axis=alt.Axis(format=".0%", tickCount=6),
        scale=alt.Scale(zero=False),
    )
    scale = alt.Scale(domain=list(read))
    reads = alt.Color(
        "dimensions:N",
        title="Reads",
        scale=scale,
        legend=alt.Legend(orient="bottom", columns=2, labelLimit=360),
    )
    coin = alt.Chart(alt.InlineData(values=[{"coin": 0.5}])).mark_rule(style="limit")
    drawn = alt.layer(
        coin.encode(x="coin:Q", tooltip=alt.value("A coin agrees half the time")),
        base.mark_rule(style="interval").encode(x=x, x2="upper:Q"),
        base.mark_point(filled=True, size=90, opacity=1).encode(
            x="agreement:Q", color=reads, shape=alt.Shape("dimensions:N", scale=scale)
        ),
    ).properties(
        width="container",
        height=26 * len(rows),
        description="How often each measure agrees with people, with intervals.",
    )
    return plain(drawn)
