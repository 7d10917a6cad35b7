"""Section 5 of UBIRE: understandability estimated from the pages' readability, by user models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import atan, log1p, pi
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.papers.outcome import Outcome, Section, Table, Texts, Value
from pipeline.papers.paper import Given
from pipeline.papers.published import Cell, Printed, absent, compared, fitting
from pipeline.papers.ubire.measures import MODELS, OURS, THRESHOLDS, dimension, simulated
from pipeline.report.charts import Chart, axis, marks, plain, span, tips
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.statistics.means import Means, read_means
from pipeline.storage import arrow

TEXTS = Texts(Path(__file__).with_name("page.txt"))
STATISTICS = {"tau": tau_b, "tau_AP": tau_ap}
NOT_PUBLIC = (
    "the pages of the experiment are not public, and figures on generated ones claim nothing"
)
WARNING = (
    "Marked as generated: the pages behind the runs are not public, so a collection was generated "
    "under the real runs' document ids, with a FOG of 14 on average. It can show what the user "
    "models do to rankings; it cannot show what the paper measured."
)


def part(given: Given, first: Sequence[Printed], second: Sequence[Printed]) -> Outcome:
    """The section, as far as its campaigns are available."""
    generated = given.settings["generated_pages"]
    pages = "generated pages" if generated else "the pages given"
    cells: list[Cell] = []
    findings: list[str] = []
    tables: list[Table] = []
    runs: dict[str, int] = {}
    for year, printed in (("2013", first), ("2015", second)):
        role = f"pages{year}"
        if role not in given.folders:
            cells += absent(printed, why=given.absent[role])
            continue
        means = read_means(given.file(role, "means.csv"))
        runs[year] = len(means.runs)
        cells += table(printed, means, generated=generated)
        tables.append(_simulated_table(means, year=year, pages=pages))
        where = f"{year}, {len(means.runs)} runs, {'generated' if generated else 'given'} pages"
        findings += [
            f"{'As printed' if holds else 'Not as printed'}: {sentence} ({where})."
            for sentence, holds in rises(means).items()
        ]
    available = "pages2013" in given.folders
    section = TEXTS.section(
        "section-5",
        pages=WARNING if generated else "From the pages that were given.",
        charts=_figure_1(read_means(given.file("pages2013", "means.csv")), pages=pages)
        if available
        else [],
        tables=[*tables, _implied({"2013": first, "2015": second}, runs=runs)],
    )
    sections = [section, _equation_7(given)] if available else [section]
    return Outcome(cells=cells, findings=findings, sections=sections)


def correlations(means: Means) -> dict[tuple[str, str, int], float]:
    """Variant, statistic and threshold: how alike it and RBP rank the runs."""
    rbp = means.column(OURS["RBP"])
    return {
        (variant, name, threshold): statistic(rbp, means.column(simulated(model, threshold)))
        for variant, model in MODELS.items()
        for name, statistic in STATISTICS.items()
        for threshold in THRESHOLDS
        if simulated(model, threshold) in means.measures
    }


def table(printed: Sequence[Printed], means: Means, *, generated: bool) -> list[Cell]:
    """A printed table; on generated pages no figure is compared."""
    known = correlations(means)
    cells = []
    for one in printed:
        statistic, _, threshold = one.column.partition(", th = ")
        ours = known[one.row.removeprefix("RBP, "), statistic, int(threshold)]
        if generated:
            cells.append(compared(one, None, why=f"{NOT_PUBLIC} (there it is {ours:.3f})"))
        else:
            cells.append(compared(one, ours, why="other pages, runs or cleansing than the paper's"))
    return cells


def rises(means: Means) -> dict[str, bool]:
    """What section 5.3 says: more agreement with a higher threshold, and with the second model."""
    known = correlations(means)
    taus = {
        variant: [known[variant, "tau", threshold] for threshold in THRESHOLDS]
        for variant in MODELS
        if (variant, "tau", THRESHOLDS[0]) in known
    }
    claims = {
        f"tau of RBP and {variant} rises with the threshold": some == sorted(some)
        for variant, some in taus.items()
    }
    if len(taus) == len(MODELS):
        first, second = (sum(some) / len(some) for some in taus.values())
        sentence = (
            "overall uRBP2 agrees with RBP more than uRBP1 does, with a mean tau of "
            f"{second:.3f} and {first:.3f}"
        )
        claims[sentence] = second > first
    return claims


def _implied(printed: Mapping[str, Sequence[Printed]], *, runs: Mapping[str, int]) -> Table:
    rows = []
    for year, some in printed.items():
        taus = [one.value for one in some if one.column.startswith("tau,")]
        fits = ", ".join(map(str, fitting(taus, places=4))) or "none"
        rows.append((f"Table {some[0].table} ({year})", fits, runs.get(year)))
    columns = ("Table", "Numbers of runs below 130 that fit without ties", "Runs at hand")
    note = "Kendall's tau of n runs without ties is 1 - 4k / (n(n-1)) for a whole number k."
    title = "What the printed correlations imply"
    return Table("section-5-implied", title, columns, rows, note=note)


def _simulated_table(means: Means, *, year: str, pages: str) -> Table:
    known = correlations(means)
    columns = [(name, threshold) for name in STATISTICS for threshold in THRESHOLDS]
    rows: list[tuple[Value, ...]] = [
        (f"RBP, {variant}", *(known[variant, *column] for column in columns))
        for variant in MODELS
        if (variant, "tau", THRESHOLDS[0]) in known
    ]
    heads = ("", *(f"{name}, th = {threshold}" for name, threshold in columns))
    return Table(f"section-5-{year}", f"RBP and simulated uRBP on {pages}, {year}", heads, rows)


def _figure_1(means: Means, *, pages: str) -> list[Chart]:
    """Each run under RBP and simulated uRBP, a shape for each threshold."""
    import altair as alt

    charts = []
    for side, (variant, model) in zip(("left", "right"), MODELS.items(), strict=True):
        points: list[dict[str, Any]] = [
            {"run": run, "x": round(float(a), 5), "y": round(float(b), 5), "th": f"th = {th}"}
            for th in THRESHOLDS
            for run, a, b in zip(
                means.runs,
                means.column(OURS["RBP"]),
                means.column(simulated(model, th)),
                strict=True,
            )
        ]
        names = [f"th = {threshold}" for threshold in THRESHOLDS]
        shapes = alt.Scale(domain=names, range=["circle", "cross", "diamond"])
        coded: dict[str, Any] = {"title": "Threshold of FOG"}
        x, y = (span([point[key] for point in points]) for key in "xy")
        dots = marks(points, "runs").mark_point(size=60, strokeWidth=1.6)
        chart = dots.encode(
            x=alt.X("x:Q", **axis("RBP", within=x, ticks=7)),
            y=alt.Y("y:Q", **axis(variant, within=[0.0, y[1]], ticks=7)),
            color=alt.Color("th:N", scale=alt.Scale(domain=names), **coded),
            shape=alt.Shape("th:N", scale=shapes, **coded),
            tooltip=tips(
                *(("run:N", "Run"), ("th:N", "Threshold")),
                *(("x:Q", "RBP", ".4f"), ("y:Q", variant, ".4f")),
            ),
        ).properties(width="container", height=340, description=f"{variant} against RBP.")
        title = f"Figure 1, {side}: {variant} against RBP, {pages}"
        charts.append(Chart(name=f"figure-1-{side}", title=title, spec=plain(chart)))
    return charts


def integral(low: float, high: float, *, threshold: float) -> float:
    """The integral of equation 7 between two values of FOG.

    With t = FOG - threshold, 1/2 - arctan(t)/pi is the derivative of
    t/2 - (t arctan(t) - log(1 + t^2)/2) / pi.

    >>> round(integral(9.999, 10.001, threshold=10) / 0.002, 6)  # a half at the threshold
    0.5
    """

    def primitive(fog: float) -> float:
        t = fog - threshold
        return t / 2 - (t * atan(t) - log1p(t * t) / 2) / pi

    return primitive(high) - primitive(low)


def normalised(given: Given) -> list[tuple[str, float, float, float]]:
    """Threshold, integral, tau-b of uRBP2 with and without it, and the ratio of the two."""
    table = arrow.read(given.file("pages2013", "readability.parquet"), ["fog"])
    fog = arrow.array(table["fog"], missing=np.nan)
    rows = []
    for threshold in THRESHOLDS:
        names = ("topicality", dimension("arctan", threshold))
        data = read_gains({name: given.file("pages2013", f"gains/{name}.npz") for name in names})
        whole = integral(float(np.nanmin(fog)), float(np.nanmax(fog)), threshold=threshold)
        estimated = data.dimensions[names[1]]
        worth = estimated.worth.copy()  # every gain divided; labels stay
        worth[:, :2] /= whole
        divided = {**data.dimensions, names[1]: replace(estimated, worth=worth)}
        measure = parse(simulated("arctan", threshold), dimensions=names)
        plain, other = (
            measure.overall(measure.value(some), some)
            for some in (data, replace(data, dimensions=divided, cache={}))
        )
        ratio = float(np.median(plain[plain > 0] / other[plain > 0]))
        rows.append((str(threshold), whole, tau_b(plain, other), ratio))
    return rows


def _equation_7(given: Given) -> Section:
    columns = ("Threshold", "Integral", "tau-b of both", "Ratio of the scores")
    title = "uRBP2 with equation 7 as printed and divided by its integral"
    return TEXTS.section(
        "equation-7", tables=[Table("equation-7", title, columns, normalised(given), 4)]
    )
