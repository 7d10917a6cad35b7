"""Palotti, Zuccon & Hanbury 2018: the H framework, on synthetic systems and on CLEF eHealth."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from pipeline.config.base import Number, Unique, Whole
from pipeline.papers import simulation
from pipeline.papers.outcome import PageSection, RerunResult, Texts, Value
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import ComparedFigure, Figures, absent, compared, fitting, read
from pipeline.papers.simulation import EASY, SIGMA
from pipeline.report.charts import Chart, span
from pipeline.storage import sheets

TEXTS = Texts(Path(__file__).with_name("h_framework.txt"))
FIGURE_1 = (20, 50, 80)
# The largest deviations with the available runs, which are not all of the paper's.
WITHIN = {"2015": 0.0255, "2016": 0.0805}
POLICIES = {
    "2015": "order by rank, labels by document, H per topic",
    "2016": "order by score, ten ranks, labels by topic, H per topic",
}
MEASURES = {  # of table 2, as printed and as the campaigns name them
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBP(p=0.8)",
    "RBP_u": "RBP(p=0.8, on=understandability)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}
ROLES = ("clef2015", "clef2016")
FILES = ("correlations.csv",)
Correlation = Annotated[Number, Field(ge=-1, le=1)]


class HFrameworkKeys(PaperKeys):
    """The size of the paper's experiment."""

    lists: Whole = Field(1000, ge=2)
    """Rankings of a synthetic system; the paper has 1,000."""
    repeats: Whole = Field(20, ge=1)
    """Repetitions of the experiment; recomputed figures are means over all."""
    length: Whole = Field(10, ge=1)
    """Documents of a synthetic ranking."""
    correlations: Annotated[tuple[Correlation, ...], Unique] = Field(
        (-0.9, -0.75, -0.6, -0.45, -0.3, -0.15, 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9), min_length=1
    )
    """Correlations between the dimensions to try, each from -1 to 1."""


@Paper.declare(
    "h-framework",
    title="H framework",
    citation="Palotti, Zuccon & Hanbury, MM: a new framework for multidimensional evaluation of "
    "search engines, CIKM 2018",
    keys=HFrameworkKeys,
    uses=dict.fromkeys(ROLES, FILES),
    measures=dict.fromkeys(ROLES, tuple(MEASURES.values())),
    order=1,
)
def h_framework(inputs: PaperInputs) -> RerunResult:
    """Tables 1 and 2, figure 1, the case study, and the effect of correlated dimensions."""
    settings, printed = inputs.settings, read(__file__, "h_framework.csv")
    runs, depth, seed = settings["lists"], settings["length"], settings["seed"]
    systems = simulation.systems(lists=runs * settings["repeats"], depth=depth, seed=seed)
    table_1 = list(simulation.table_1(printed, systems, runs=runs))
    case = simulation.case_study(printed, systems, runs=runs)
    years = {year: _table_2(inputs, printed, year) for year in ("2015", "2016")}
    return RerunResult(
        cells=[*table_1, *case, *years["2015"], *years["2016"]],
        findings=_findings(table_1, case),
        sections=[
            _simulation(table_1, settings),
            _case_study(case),
            _figure_1(),
            _correlated(settings),
            _real_runs(years),
        ],
    )


def _table_2(inputs: PaperInputs, printed: Figures, year: str) -> list[ComparedFigure]:
    """A year's block of tau-b between the measures; absent without a campaign."""
    role = f"clef{year}"
    figures = [figure for figure in printed.values() if figure.table == f"2 ({year})"]
    block = {(figure.row, figure.column): figure for figure in figures}
    if role not in inputs.folders:
        return absent([*block.values()], why=inputs.absent.get(role, ""))
    rows = sheets.read(inputs.file(role, "correlations.csv"))
    tau = {(row["measure_a"], row["measure_b"]): float(row["tau_b"]) for row in rows}
    cells = []
    for (row, column), figure in block.items():
        twin = block[column, row]
        why = f"{rows[0]['n']} runs are available, and the paper used others; {POLICIES[year]}"
        if twin.value != figure.value:
            values = f"{figure.text} and {twin.text}"
            why = f"Kendall's tau is symmetric, but the pair is printed as {values}; {why}"
        value = tau[MEASURES[row], MEASURES[column]]
        cells.append(compared(figure, value, within=WITHIN[year], why=why))
    return cells


def _findings(table_1: Sequence[ComparedFigure], case: Sequence[ComparedFigure]) -> list[str]:
    change = {cell.row: cell.ours or 0.0 for cell in case}
    changes = ", ".join(f"{measure} by {value:+.1f} %" for measure, value in change.items())
    holds = "holds" if simulation.unmoved(change) else "does not hold here"
    reasons = dict.fromkeys(cell.why for cell in table_1 if cell.verdict == "impossible")
    return [
        f"From S1 to S2 the means change: {changes}. The paper's claim that H stays while RBP and "
        f"uRBP fall and RBP_u rises {holds}.",
        *(f"Printed means contradict each other: {why}." for why in reasons),
    ]


def _simulation(cells: Sequence[ComparedFigure], settings: Mapping[str, Any]) -> PageSection:
    return TEXTS.section(
        "table-1",
        **{key: settings[key] for key in ("repeats", "lists", "length")},
        tables=[TEXTS.beside(f"table-1-{x}s", cells, of=f"1 ({x})") for x in ("mean", "sd")],
    )


def _case_study(cells: Sequence[ComparedFigure]) -> PageSection:
    rows = [(cell.row, cell, cell.why) for cell in cells]
    return TEXTS.section("case-study", tables=[TEXTS.table("case-study", rows)])


def _figure_1() -> PageSection:
    """Normal densities of labels, the threshold, and the share of clipped labels."""
    from scipy.stats import norm

    names = {mean: f"N({mean:g}, {SIGMA:g})" for mean in FIGURE_1}
    lines = [
        {"label": label, "density": round(float(norm.pdf(label, mean, SIGMA)), 6), "mean": name}
        for mean, name in names.items()
        for label in np.linspace(0, 100, 101).tolist()
    ]
    chart = TEXTS.chart(
        "h_framework_labels.yaml",
        {"densities": lines, "threshold": [{"label": EASY.threshold}]},
        name="figure-1",
        title="Figure 1: labels of synthetic documents",
        means=list(names.values()),
    )
    ends = (0.5, EASY.threshold + 0.5)
    rows: list[tuple[Value, ...]] = [
        (name, *(float(norm.cdf(x, mean, SIGMA)) for x in ends), float(norm.sf(99.5, mean, SIGMA)))
        for mean, name in names.items()
    ]
    return TEXTS.section("figure-1", charts=[chart], tables=[TEXTS.table("figure-1-cut", rows)])


def _correlated(settings: Mapping[str, Any]) -> PageSection:
    """Mean uRBP and H by the correlation of the dimensions."""
    two, three = (
        simulation.correlated(
            dimensions=simulation.DIMENSIONS[:number],
            correlations=settings["correlations"],
            lists=settings["lists"] * settings["repeats"],
            depth=settings["length"],
            seed=settings["seed"],
        )
        for number in (2, 3)
    )
    at = {row["correlation"]: (row["uRBP"], row["H"]) for row in three}
    rows = [
        (f"{key:+.2f}", urbp, h, h - urbp, *at.get(key, (None, None)))
        for key, urbp, h in ((row["correlation"], row["uRBP"], row["H"]) for row in two)
    ]
    return TEXTS.section(
        "correlation",
        charts=[_correlation_chart({2: two, 3: three})],
        tables=[TEXTS.table("correlation", rows)],
    )


def _correlation_chart(means: Mapping[int, Sequence[Mapping[str, float]]]) -> Chart:
    points: list[dict[str, Any]] = [
        {
            "correlation": row["correlation"],
            "score": round(row[measure], 5),
            "measure": f"{measure}, {number} dimensions",
        }
        for number, rows in means.items()
        for measure in ("H", "uRBP")
        for row in rows
    ]
    return TEXTS.chart(
        "h_framework_correlation.yaml",
        {"means": points},
        name="correlation",
        title="uRBP and H as dimensions correlate",
        domain=[0.0, span([point["score"] for point in points])[1]],
        measures=list(dict.fromkeys(point["measure"] for point in points)),
    )


def _real_runs(years: Mapping[str, Sequence[ComparedFigure]]) -> PageSection:
    fits = {
        year: fitting([cell.printed.value for cell in cells], places=3)
        for year, cells in years.items()
    }
    rows = [
        (year, fits[year][0], "yes" if 16 in fits[year] else "no", _largest_deviation(cells))
        for year, cells in years.items()
    ]
    blocks = [
        TEXTS.beside(f"table-2-{year}", cells, of=f"2 ({year})")
        for year, cells in years.items()
        if any(cell.ours is not None for cell in cells)
    ]
    tables = [*blocks, TEXTS.table("implied-runs", rows)]
    return TEXTS.section("table-2", least=fits["2016"][0], tables=tables)


def _largest_deviation(cells: Sequence[ComparedFigure]) -> float | None:
    """The largest deviation from print; for a pair printed twice, from the nearer figure."""
    pairs: dict[frozenset[str], float] = {}
    for cell in cells:
        if cell.difference is not None:
            pair = frozenset((cell.row, cell.column))
            pairs[pair] = min(pairs.get(pair, 2.0), abs(cell.difference))
    return max(pairs.values(), default=None)
