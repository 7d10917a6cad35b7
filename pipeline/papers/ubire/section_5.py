"""Section 5 of UBIRE on the page: simulations of user models, figure 1, equation 7."""

from collections.abc import Mapping, Sequence

from pipeline.papers.implied import fitting
from pipeline.papers.outcome import Outcome, Section, Table
from pipeline.papers.paper import Given
from pipeline.papers.published import Cell, Printed, absent
from pipeline.papers.ubire import figures
from pipeline.papers.ubire import readability as pages
from pipeline.papers.ubire.measures import MODELS, THRESHOLDS, dimension, simulated
from pipeline.report.chart import Chart
from pipeline.statistics.correlation.means import Means, read_means

WARNING = (
    "Marked as generated: the pages behind the runs are not public, so a collection was generated "
    "under the real runs' document ids, with a FOG of 14 on average. It can show what the user "
    "models do to rankings; it cannot show what the paper measured."
)


def part(given: Given, first: Sequence[Printed], second: Sequence[Printed]) -> Outcome:
    """The section, as far as its campaigns are at hand."""
    generated = given.settings["generated_pages"]
    cells: list[Cell] = []
    findings: list[str] = []
    tables: list[Table] = []
    held: dict[str, int] = {}
    sections: list[Section] = []
    for role, printed, year in (("pages2013", first, "2013"), ("pages2015", second, "2015")):
        if role not in given.folders:
            cells += absent(printed, why=given.absent[role])
            continue
        means = read_means(given.file(role, "means.csv"))
        held[year] = len(means.runs)
        cells += pages.table(printed, means, generated=generated)
        tables.append(_simulated_table(means, year=year, generated=generated))
        where = f"{year}, {len(means.runs)} runs, {'generated' if generated else 'given'} pages"
        findings += [
            f"{'As printed' if holds else 'Not as printed'}: {sentence} ({where})."
            for sentence, holds in pages.rises(means).items()
        ]
    charts = []
    if "pages2013" in given.folders:
        made = "generated pages" if generated else "the pages given"
        charts = _figure_1(read_means(given.file("pages2013", "means.csv")), made=made)
        sections.append(_normalised(given))
    head = Section(
        name="section-5",
        title="Section 5",
        text=[WARNING] if generated else ["From the pages that were given."],
        charts=charts,
        tables=[*tables, _implied({"2013": first, "2015": second}, held=held)],
    )
    return Outcome(cells=cells, findings=findings, sections=[head, *sections])


def _implied(printed: Mapping[str, Sequence[Printed]], *, held: Mapping[str, int]) -> Table:
    rows = []
    for year, some in printed.items():
        taus = [one.value for one in some if one.column.startswith("tau,")]
        fits = ", ".join(map(str, fitting(taus, places=4))) or "none"
        rows.append((f"Table {some[0].table} ({year})", fits, held.get(year)))
    return Table(
        name="section-5-implied",
        title="What the printed correlations imply",
        columns=("Table", "Numbers of runs below 130 that fit without ties", "Runs at hand"),
        rows=rows,
        note="Kendall's tau of n runs without ties is 1 - 4k / (n(n-1)) for a whole number k.",
    )


def _simulated_table(means: Means, *, year: str, generated: bool) -> Table:
    found = pages.correlations(means)
    variants = [v for v in MODELS if (v, "tau", THRESHOLDS[0]) in found]
    made = "generated pages" if generated else "the pages given"
    return Table(
        name=f"section-5-{year}",
        title=f"RBP and simulated uRBP on {made}, {year}",
        columns=(
            "",
            *(f"{name}, th = {th}" for name in pages.STATISTICS for th in THRESHOLDS),
        ),
        rows=[
            (
                f"RBP, {variant}",
                *(found[variant, name, th] for name in pages.STATISTICS for th in THRESHOLDS),
            )
            for variant in variants
        ],
    )


def _figure_1(means: Means, *, made: str) -> list[Chart]:
    return [
        figures.thresholds(
            name=f"figure-1-{side}",
            title=f"Figure 1, {side}: {variant} against RBP, {made}",
            y_title=variant,
            runs=means.runs,
            x=means.column("RBP(p=0.8)"),
            ys={th: means.column(simulated(model, th)) for th in THRESHOLDS},
        )
        for side, (variant, model) in zip(("left", "right"), MODELS.items(), strict=True)
    ]


def _normalised(given: Given) -> Section:
    names = ("topicality", *(dimension("arctan", th) for th in THRESHOLDS))
    rows = pages.normalised(
        readability=given.file("pages2013", "readability.parquet"),
        gains={name: given.file("pages2013", f"gains/{name}.npz") for name in names},
    )
    return Section(
        name="equation-7",
        title="Equation 7",
        text=[
            "Equation 7 is no probability distribution; divided by its integral over the FOG of "
            "the collection it is one. That divides every uRBP2 by the same number and leaves the "
            "ranking alone, as the paper says: every run's score is computed both ways."
        ],
        tables=[
            Table(
                name="equation-7",
                title="uRBP2 with equation 7 as printed and divided by its integral",
                columns=("Threshold", "Integral", "tau-b of both", "Ratio of the scores"),
                rows=[(str(th), *found) for th, *found in rows],
                places=4,
            )
        ],
    )
