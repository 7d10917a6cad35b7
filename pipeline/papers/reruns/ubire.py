"""Zuccon 2016: understandability biased evaluation, with assessed and estimated labels."""

from pipeline.config.base import Flag
from pipeline.papers import ubire as sections
from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import PrintedFigure, read

SMOOTH = tuple(f"gains/arctan_{threshold}.npz" for threshold in sections.THRESHOLDS)
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
    """The origin of the pages of section 5."""

    generated_pages: Flag = True
    """Whether the pages of section 5 are generated; their figures are then not compared with the
    printed ones."""


@Paper.declare(
    "ubire",
    title="Understandability biased evaluation (UBIRE)",
    citation="Zuccon, Understandability biased evaluation for information retrieval, ECIR 2016",
    keys=UbireKeys,
    uses=USES,
    measures=MEASURES,
    order=2,
)
def ubire(inputs: PaperInputs) -> RerunResult:
    """Section 6 with figure 2, weights inside the gain, and section 5 with figure 1."""
    printed: dict[str, list[PrintedFigure]] = {}
    for figure in read(__file__, "ubire.csv").values():
        printed.setdefault(figure.table, []).append(figure)
    first = sections.section_6(inputs, printed["section 6"])
    second = sections.section_5(inputs, printed["1"], printed["2"])
    return RerunResult(
        cells=[*first.cells, *second.cells],
        findings=[*first.findings, *second.findings],
        sections=[*first.sections, *second.sections],
    )
