"""The sections of UBIRE: understandability from the readability of pages (5) and labels (6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import atan, log1p, pi
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.audit.published import ALL
from pipeline.audit.published import read as read_published
from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.papers.outcome import PageSection, PageTable, RerunResult, Texts, Value
from pipeline.papers.paper import PaperInputs
from pipeline.papers.published import ComparedFigure, PrintedFigure, absent, compared, fitting
from pipeline.report.charts import Chart, span
from pipeline.statistics.correlation.statistics.depths import ubire_overlap
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.statistics.means import Means, read_means
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats

TEXTS = Texts(Path(__file__).with_name("ubire.txt"))
OURS = {"RBP": "RBP(p=0.8)", "uRBP": "uRBP(p=0.8)", "uRBPgr": "uRBPgr(p=0.8)"}
THRESHOLDS = (10, 15, 20)  # of FOG
MODELS = {"uRBP1": "step", "uRBP2": "arctan"}
STATISTICS = {"tau": tau_b, "tau_AP": tau_ap}
EASY = "RBP(p=0.8, on=understandability)"
OFFICIAL = {"RBP": "RBP(0.8)", "uRBP": "uRBP(0.8)", "uRBPgr": "uRBPgr(0.8)"}
FILES = "*.urbp"  # the output of ubire for each run
DETAIL = {"x": (0.25, 0.40), "y": (0.15, 0.35)}  # RBP and uRBP of figure 2's central panel
DIGITS = 0.00011  # means of values that ubire rounded to four digits each, and rounded again
EQUAL = 0.001  # means with at most this difference count as equal
SAME_X, SAME_Y = "same RBP, different uRBP", "same uRBP, different RBP"
Scores = Mapping[str, Floats]
Correlations = Mapping[tuple[str, str, int], float]  # by variant, statistic and threshold
Pair = tuple[int, int]  # positions of two runs
PrintedTable = Sequence[PrintedFigure]


def simulated(model: str, threshold: int) -> str:
    """A simulated variant of uRBP, by understandability estimated with a user model."""
    return f"uRBP(p=0.8, by={model}_{threshold})"


def section_5(inputs: PaperInputs, first: PrintedTable, second: PrintedTable) -> RerunResult:
    """Section 5, on estimated understandability, for the available campaigns."""
    generated = inputs.settings["generated_pages"]
    pages = "generated pages" if generated else "pages of the campaign"
    cells: list[ComparedFigure] = []
    findings: list[str] = []
    tables: list[PageTable] = []
    runs: dict[str, int] = {}
    for year, printed in (("2013", first), ("2015", second)):
        role = f"pages{year}"
        if role not in inputs.folders:
            cells += absent(printed, why=inputs.absent[role])
            continue
        means = read_means(inputs.file(role, "means.csv"))
        runs[year], taus = len(means.runs), correlations(means)
        cells += table(printed, taus, generated=generated)
        tables.append(_simulated_table(taus, year=year, pages=pages))
        where = f"{year}, {len(means.runs)} runs, {pages}"
        findings += [
            f"{'As printed' if holds else 'Not as printed'}: {sentence} ({where})."
            for sentence, holds in rises(taus).items()
        ]
    available = "pages2013" in inputs.folders
    section = TEXTS.section(
        "section-5",
        pages=TEXTS.sentence("generated" if generated else "given"),
        charts=_figure_1(inputs, pages=pages) if available else [],
        tables=[*tables, _implied({"2013": first, "2015": second}, runs=runs)],
    )
    further = [_equation_7(inputs)] if available else []
    return RerunResult(cells=cells, findings=findings, sections=[section, *further])


def correlations(means: Means) -> Correlations:
    """The correlations of RBP with each variant of uRBP."""
    rbp = means.column(OURS["RBP"])
    return {
        (variant, name, threshold): statistic(rbp, means.column(simulated(model, threshold)))
        for variant, model in MODELS.items()
        for name, statistic in STATISTICS.items()
        for threshold in THRESHOLDS
        if simulated(model, threshold) in means.measures
    }


def table(printed: PrintedTable, taus: Correlations, *, generated: bool) -> list[ComparedFigure]:
    """The figures of a printed table; on generated pages they are not compared."""
    cells = []
    for figure in printed:
        statistic, _, threshold = figure.column.partition(", th = ")
        tau = taus[figure.row.removeprefix("RBP, "), statistic, int(threshold)]
        why = "pages, runs or cleansing differ from the paper's"
        if generated:
            why = TEXTS.sentence("not-public", ours=tau)
        cells.append(compared(figure, None if generated else tau, why=why))
    return cells


def rises(taus_of: Correlations) -> dict[str, bool]:
    """The claims of section 5.3: tau rises with the threshold, and is higher for uRBP2."""
    taus = {
        variant: [taus_of[variant, "tau", threshold] for threshold in THRESHOLDS]
        for variant in MODELS
        if (variant, "tau", THRESHOLDS[0]) in taus_of
    }
    claims = {
        f"tau of RBP and {variant} rises with the threshold": values == sorted(values)
        for variant, values in taus.items()
    }
    if len(taus) == len(MODELS):
        first, second = (sum(values) / len(values) for values in taus.values())
        means = f"{second:.3f} and {first:.3f}"
        sentence = f"overall uRBP2 agrees more with RBP than uRBP1 does, with mean taus of {means}"
        claims[sentence] = second > first
    return claims


def _implied(printed: Mapping[str, PrintedTable], *, runs: Mapping[str, int]) -> PageTable:
    rows = []
    for year, figures in printed.items():
        taus = [figure.value for figure in figures if figure.column.startswith("tau,")]
        fits = ", ".join(map(str, fitting(taus, places=4))) or "none"
        rows.append((f"Table {figures[0].table} ({year})", fits, runs.get(year)))
    return TEXTS.table("section-5-implied", rows)


def _simulated_table(taus: Correlations, *, year: str, pages: str) -> PageTable:
    columns = [(name, threshold) for name in STATISTICS for threshold in THRESHOLDS]
    rows: list[tuple[Value, ...]] = [
        (f"RBP, {variant}", *(taus[variant, *column] for column in columns))
        for variant in MODELS
        if (variant, "tau", THRESHOLDS[0]) in taus
    ]
    heads = ("", *(f"{name}, th = {threshold}" for name, threshold in columns))
    return PageTable(f"section-5-{year}", f"RBP and simulated uRBP on {pages}, {year}", heads, rows)


def _figure_1(inputs: PaperInputs, *, pages: str) -> list[Chart]:
    """Figure 1: simulated uRBP against RBP, one point per run and threshold."""
    means = read_means(inputs.file("pages2013", "means.csv"))
    rbp, charts = means.column(OURS["RBP"]), []
    for side, (variant, model) in zip(("left", "right"), MODELS.items(), strict=True):
        points = [
            {**point, "th": f"th = {th}"}
            for th in THRESHOLDS
            for point in _points(means.runs, rbp, means.column(simulated(model, th)))
        ]
        chart = TEXTS.chart(
            "ubire_simulated.yaml",
            {"runs": points},
            name=f"figure-1-{side}",
            title=f"Figure 1, {side}: {variant} against RBP, {pages}",
            description=f"{variant} against RBP.",
            measure=variant,
            thresholds=[f"th = {th}" for th in THRESHOLDS],
            domain_x=span([point["x"] for point in points]),
            domain_y=[0.0, span([point["y"] for point in points])[1]],
        )
        charts.append(chart)
    return charts


def _points(runs: Sequence[str], x: Floats, y: Floats) -> list[dict[str, Any]]:
    return [
        {"run": run, "x": round(a, 5), "y": round(b, 5)}
        for run, a, b in zip(runs, x.tolist(), y.tolist(), strict=True)
    ]


def integral(low: float, high: float, *, threshold: float) -> float:
    """The integral of equation 7 between two values of FOG.

    With t = FOG - threshold, 1/2 - arctan(t)/pi is the derivative of
    t/2 - (t arctan(t) - log(1 + t^2)/2) / pi.

    >>> round(integral(9.999, 10.001, threshold=10) / 0.002, 6)  # a half at the threshold
    0.5
    """
    ends = (low - threshold, high - threshold)
    first, last = (t / 2 - (t * atan(t) - log1p(t * t) / 2) / pi for t in ends)
    return last - first


def _equation_7(inputs: PaperInputs) -> PageSection:
    """uRBP2 with equation 7 as printed and divided by its integral."""
    table = arrow.read(inputs.file("pages2013", "readability.parquet"), ["fog"])
    fog = arrow.array(table["fog"], missing=np.nan)
    rows = []
    for threshold in THRESHOLDS:
        names = ("topicality", f"arctan_{threshold}")
        data = read_gains({name: inputs.file("pages2013", f"gains/{name}.npz") for name in names})
        whole = integral(float(np.nanmin(fog)), float(np.nanmax(fog)), threshold=threshold)
        estimated = data.dimensions[names[1]]
        worth = estimated.worth.copy()  # divides every gain, but not the labels
        worth[:, :2] /= whole
        divided = {**data.dimensions, names[1]: replace(estimated, worth=worth)}
        measure = parse(simulated("arctan", threshold), dimensions=names)
        plain, divided_scores = (
            measure.overall(measure.value(gains), gains)
            for gains in (data, replace(data, dimensions=divided, cache={}))
        )
        ratio = float(np.median(plain[plain > 0] / divided_scores[plain > 0]))
        rows.append((str(threshold), whole, tau_b(plain, divided_scores), ratio))
    return TEXTS.section("equation-7", tables=[TEXTS.table("equation-7", rows, places=4)])


def section_6(inputs: PaperInputs, printed: PrintedTable) -> RerunResult:
    """Section 6, on assessed understandability."""
    if "clef2015" not in inputs.folders:
        return RerunResult(cells=absent(printed, why=inputs.absent["clef2015"]), sections=[])
    source = inputs.file("clef2015", "sources/clef")
    if not any(source.rglob(FILES)):
        why = f"the campaign's source has no file {FILES} with the official figures"
        return RerunResult(cells=absent(printed, why=why), sections=[])
    means = read_means(inputs.file("clef2015", "means.csv"))
    runs, official_means = official(source)
    own_means = {name: means.column(column) for name, column in OURS.items()}
    shared = [runs.index(run) for run in means.runs if run in runs]
    rows: list[tuple[Value, ...]] = [
        (f"{label}: RBP, {measure}", len(scores["RBP"]), *agreement(scores, measure))
        for label, scores in (
            ("official means", official_means),
            ("official means, available runs", {k: v[shared] for k, v in official_means.items()}),
            ("recomputed means, available runs", own_means),
        )
        for measure in ("uRBP", "uRBPgr")
    ]
    note = ""
    if names := differing(means.runs, own_means, runs, official_means):
        listing, total = ", ".join(names), len(means.runs)
        note = TEXTS.sentence("other-means", differing=len(names), runs=total, names=listing)
    cells = section_6_cells(printed, official_means)
    agreeing = sum(cell.verdict == "agrees" for cell in cells)
    tables = [
        TEXTS.beside("section-6", cells, of="section 6"),
        TEXTS.table("section-6-runs", rows, places=4, note=note),
    ]
    return RerunResult(
        cells=cells,
        findings=[TEXTS.sentence("finding-section-6", agreeing=agreeing, cells=len(cells))],
        sections=[
            TEXTS.section("section-6", all=len(runs), here=len(means.runs), tables=tables),
            _figure_2(runs, official_means),
            _weights(means),
        ],
    )


def official(folder: Path) -> tuple[Sequence[str], Scores]:
    """The runs, and their official means by measure, from the files that ubire wrote."""
    table = read_published(sorted(folder.rglob(FILES)))
    numbers = (table.run.number, table.source.number, table.topic.number, table.value)
    values: dict[tuple[str, str], float] = {
        (table.run.names[run], table.source.names[source].removeprefix("ubire ")): value
        for run, source, topic, value in zip(*numbers, strict=True)
        if table.topic.names[topic] == ALL
    }
    runs = sorted(table.run.names)
    return runs, {
        name: np.array([values[run, column] for run in runs]) for name, column in OFFICIAL.items()
    }


def agreement(scores: Scores, measure: str) -> tuple[float, float, float]:
    """The correlation of RBP with another measure: tau-b, ubire's overlap, AP correlation."""
    pair = (scores["RBP"], scores[measure])
    return tau_b(*pair), ubire_overlap(*pair), tau_ap(*pair)


def section_6_cells(printed: PrintedTable, scores: Scores) -> list[ComparedFigure]:
    """The printed correlations, with those of the official means."""
    cells = []
    for figure in printed:
        tau, overlap, ap = agreement(scores, figure.row.removeprefix("RBP, "))
        note, why = TEXTS.sentence("overlap", ap=ap), TEXTS.sentence("ties")
        if figure.column == "tau":
            cells.append(compared(figure, tau, note="of the official means"))
        else:
            cells.append(compared(figure, overlap, within=0.0005, why=why, note=note))
    return cells


def differing(
    own_runs: Sequence[str], own: Scores, official_runs: Sequence[str], means: Scores
) -> list[str]:
    """The runs whose means differ from the official ones, which have four digits."""
    place = {run: number for number, run in enumerate(official_runs)}
    shared = [(number, run) for number, run in enumerate(own_runs) if run in place]
    return [
        run
        for number, run in shared
        if any(abs(own[name][number] - means[name][place[run]]) > DIGITS for name in OFFICIAL)
    ]


def look_alikes(same: Floats, distance: Floats) -> list[Pair]:
    """Three disjoint pairs of runs equal by one measure and furthest apart by the other."""
    both = combinations(range(len(same)), 2)
    pairs = [(i, j) for i, j in both if abs(same[i] - same[j]) <= EQUAL]
    chosen: list[Pair] = []
    for pair in sorted(pairs, key=lambda pair: -abs(float(distance[pair[0]] - distance[pair[1]]))):
        if not {*pair} & {place for other_pair in chosen for place in other_pair}:
            chosen.append(pair)
    return chosen[:3]


def _figure_2(runs: Sequence[str], scores: Scores) -> PageSection:
    rbp, urbp, graded = (scores[name] for name in ("RBP", "uRBP", "uRBPgr"))
    (low, high), (least, most) = DETAIL.values()
    inside = np.flatnonzero((rbp >= low) & (rbp <= high) & (urbp >= least) & (urbp <= most))
    x, y, names = rbp[inside], urbp[inside], [runs[number] for number in inside.tolist()]
    pairs = {SAME_X: look_alikes(x, y), SAME_Y: look_alikes(y, x)}
    rows = [
        (kind, names[i], names[j], float(x[i]), float(x[j]), float(y[i]), float(y[j]))
        for kind, marked in pairs.items()
        for i, j in marked
    ]
    by_grade = _points(runs, rbp, graded)
    return TEXTS.section(
        "figure-2",
        equal=EQUAL,
        charts=[
            _scatter("left", "uRBP (binary) against RBP", "uRBP", _points(runs, rbp, urbp), {}),
            _scatter("centre", "Detail of uRBP against RBP", "uRBP", _points(names, x, y), pairs),
            _scatter("right", "uRBPgr (graded) against RBP", "uRBPgr", by_grade, {}),
        ],
        tables=[TEXTS.table("figure-2-pairs", rows, places=4)],
    )


def _scatter(
    side: str,
    title: str,
    measure: str,
    points: Sequence[Mapping[str, Any]],
    pairs: Mapping[str, Sequence[Pair]],
) -> Chart:
    """Another measure against RBP, one point per run; the detail has marked pairs."""
    marked = [
        {**points[place], "kind": kind, "pair": f"{kind} {number}"}
        for kind, marked_pairs in pairs.items()
        for number, pair in enumerate(marked_pairs)
        for place in pair
    ]
    x, y = (list(DETAIL[k]) if pairs else span([point[k] for point in points]) for k in "xy")
    return TEXTS.chart(
        "ubire_official.yaml",
        {"runs": points, "marked": marked},
        name=f"figure-2-{side}",
        title=title,
        description=f"{measure} against RBP, one point per run.",
        measure=measure,
        kinds=[SAME_X, SAME_Y],
        domain_x=x,
        domain_y=y,
    )


def weighted(means: Means) -> list[tuple[float, str]]:
    """The weights of understandability in the campaign's uRBPgr measures, with their columns."""
    parts = [(name, name.partition("uRBPgr(p=0.8, understandability=")) for name in means.measures]
    weights = [(float(weight.rstrip(")")), name) for name, (_, mark, weight) in parts if mark]
    return sorted([(1.0, OURS["uRBPgr"]), *weights])


def _weights(means: Means) -> PageSection:
    rbp, understandability = means.column(OURS["RBP"]), means.column(EASY)
    rows = [
        (f"{weight:g}", tau_b(rbp, values), tau_b(understandability, values), float(values.max()))
        for weight, name in weighted(means)
        for values in [means.column(name)]
    ]
    return TEXTS.section("weights", tables=[TEXTS.table("weights", rows)])
