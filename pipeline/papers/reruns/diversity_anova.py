"""Kingrani, Levene & Zhang 2018: what measures of diversity are made of, by their variance."""

from typing import Annotated, Literal

from pydantic import Field

from pipeline.config.base import Mistakes, Number, Text, Unique, Whole
from pipeline.errors import InputError
from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import absent, read

LABELS = "labels/topicality.parquet"
Level = Literal["low", "medium", "high"]
Condition = Annotated[tuple[Level, ...], Field(min_length=3, max_length=3)]
Between = Annotated[Number, Field(gt=0, lt=1)]


class AnovaKeys(PaperKeys):
    """Which rankings are drawn, and what is analysed."""

    lists_each: Whole = Field(10, ge=2, description="Rankings drawn for each topic and condition.")
    documents: Whole = Field(10, ge=1, le=100, description="Documents of a drawn ranking.")
    bounds: Annotated[tuple[Between, ...], Field(min_length=2, max_length=2)] = Field(
        (0.3, 0.6),
        description="Where medium begins and where high does, of richness, evenness and relevance.",
    )
    boundary: Literal["above", "below"] = Field(
        "above",
        description="Whether a value on a bound belongs to the range `above` or `below` it.",
    )
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] | None = Field(
        None,
        description="Only these conditions, each the levels of richness, evenness and relevance, "
        "for example `[low, high, medium]`; all that can be met when null.",
    )
    draws: Whole = Field(
        5,
        ge=1,
        description="How often all rankings are drawn, with one seed after the other; ours is the "
        "mean of all, and what is said of the order of effects must hold in each.",
    )
    further_measures: Annotated[tuple[Text, ...], Unique] = Field(
        ("nERR-IA@10", "nNRBP", "D-nDCG@10", "D#-nDCG@10", "P@10", "nDCG@10"),
        description="Further measures of the engine to analyse in the same way.",
    )
    subtopics_file: Text | None = Field(
        None,
        description="The track's topics file (XML), whose subtopics are N in further rows of the "
        "count of conditions; left out when null.",
    )
    synthetic_lists: Whole = Field(
        1000,
        ge=2,
        description="Synthetic rankings for each combination of three dimensions' levels.",
    )

    def problems(self) -> Mistakes:
        """The bounds ascend, and there are such measures."""
        from pipeline.measures import parse

        low, high = self.bounds
        if low >= high:
            what = f"[{low:g}, {high:g}] is not ascending"
            yield ("bounds",), what, "write the smaller one first"
        for place, text in enumerate(self.further_measures):
            at = ("further_measures", place)
            try:
                measure = parse(text, dimensions=["topicality"])
            except InputError as error:
                yield at, str(error), "correct it"
                continue
            if measure.scored:
                yield at, f"'{text}' needs scores of systems", "remove it"


@Paper.declare(
    "diversity-anova",
    title="Diversity by analysis of variance",
    citation="Kingrani, Levene & Zhang, A meta-evaluation of evaluation methods for diversified "
    "search, ECIR 2018",
    keys=AnovaKeys,
    uses={"trec2009": (LABELS,)},
    order=4,
)
def diversity_anova(given: PaperInputs) -> RerunResult:
    """Tables 1 and 2, what they imply, and the same analysis of further measures and dimensions."""
    from pipeline.papers.diversity import page  # which a config check need not load
    from pipeline.papers.diversity.experiment import multidimensional, run
    from pipeline.papers.diversity.implied import implied

    settings, printed = given.settings, read(__file__, "diversity_anova.csv")
    counts = implied(printed)
    beyond = page.dimensions(
        multidimensional(
            lists=settings["synthetic_lists"], depth=settings["documents"], seed=settings["seed"]
        ),
        settings,
    )
    if "trec2009" not in given.folders:
        return RerunResult(
            cells=absent(list(printed.values()), why=given.absent.get("trec2009", "")),
            sections=[page.implied(counts), beyond],
            findings=[page.implied_finding(counts)],
        )
    ran = run(given.file("trec2009", LABELS), settings)
    cells = page.cells(printed, counts, ran)
    return RerunResult(
        cells=cells,
        findings=[page.implied_finding(counts), *page.findings(ran)],
        sections=[
            page.conditions(ran),
            page.tables(ran, cells),
            page.implied(counts),
            page.further(ran),
            beyond,
        ],
    )
