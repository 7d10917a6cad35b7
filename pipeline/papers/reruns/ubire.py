"""Zuccon 2016: understandability biased evaluation, with assessors' labels and with estimates."""

from pydantic import Field

from pipeline.config.base import Flag
from pipeline.papers import ubire as sections
from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import PrintedFigure, read

SMOOTH = tuple(
    f"gains/{sections.dimension('arctan', threshold)}.npz" for threshold in sections.THRESHOLDS
)
USES = {
    "clef2015": ("means.csv", "sources/clef"),
    "pages2013": ("means.csv", "readability.parquet", "gains/topicality.npz", *SMOOTH),
    "pages2015": ("means.csv",),
}
STEP, ARCTAN = (
    tuple(sections.simulated(model, threshold) for threshold in sections.THRESHOLDS)
    for model in sections.MODELS.values()
)
MEASURES = {
    "clef2015": (*sections.OURS.values(), sections.EASY),
    "pages2013": (sections.OURS["RBP"], *STEP, *ARCTAN),
    "pages2015": (sections.OURS["RBP"], *STEP),
}


class UbireKeys(PaperKeys):
    """Whether section 5 has the paper's pages."""

    generated_pages: Flag = Field(
        True,
        description="Whether the pages of section 5 are generated: then no figure of it is "
        "compared with print.",
    )


@Paper.declare(
    "ubire",
    title="Understandability biased evaluation (UBIRE)",
    citation="Zuccon, Understandability biased evaluation for information retrieval, ECIR 2016",
    keys=UbireKeys,
    uses=USES,
    measures=MEASURES,
    order=2,
)
def ubire(given: PaperInputs) -> RerunResult:
    """Section 6 with figure 2, weights inside the gain, and section 5 with figure 1."""
    printed: dict[str, list[PrintedFigure]] = {}
    for one in read(__file__, "ubire.csv").values():
        printed.setdefault(one.table, []).append(one)
    first = sections.section_6(given, printed["section 6"])
    second = sections.section_5(given, printed["1"], printed["2"])
    return RerunResult(
        cells=[*first.cells, *second.cells],
        findings=[*first.findings, *second.findings],
        sections=[*first.sections, *second.sections],
    )
