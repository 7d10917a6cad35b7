"""Kingrani, Levene & Zhang 2018: diversity measures by analysis of variance."""

from typing import Annotated, Literal

from pydantic import Field

from pipeline.config.base import Mistakes, Number, Text, Unique, Whole
from pipeline.errors import InputError
from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import absent, read

LABELS = "labels/topicality.parquet"
FURTHER = ("nERR-IA@10", "nNRBP", "D-nDCG@10", "D#-nDCG@10", "P@10", "nDCG@10")
Level = Literal["low", "medium", "high"]
Condition = Annotated[tuple[Level, ...], Field(min_length=3, max_length=3)]
Between = Annotated[Number, Field(gt=0, lt=1)]


class AnovaKeys(PaperKeys):
    """The rankings to draw and the measures to analyse."""

    lists_each: Whole = Field(10, ge=2)
    """Rankings drawn for each topic and condition."""
    documents: Whole = Field(10, ge=1, le=100)
    """Documents of a drawn ranking."""
    bounds: Annotated[tuple[Between, ...], Field(min_length=2, max_length=2)] = (0.3, 0.6)
    """Lower bounds of medium and of high richness, evenness and relevance."""
    boundary: Literal["above", "below"] = "above"
    """Whether a value equal to a bound belongs to the range `above` or `below` it."""
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] | None = None
    """Only these conditions, each the levels of richness, evenness and relevance, for example
    `[low, high, medium]`; all that can be met when null."""
    draws: Whole = Field(5, ge=1)
    """Repetitions of the experiment, with consecutive seeds; recomputed figures are means over all,
    and an order of effects is only reported if it holds in each."""
    further_measures: Annotated[tuple[Text, ...], Unique] = FURTHER
    """Further measures to analyse in the same way."""
    subtopics_file: Text | None = None
    """The track's topics file (XML); the count of conditions gets further rows with N from its
    subtopics. Left out when null."""
    synthetic_lists: Whole = Field(1000, ge=2)
    """Synthetic rankings per combination of the levels of three dimensions."""

    def problems(self) -> Mistakes:
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
                yield at, f"'{text}' needs the scores of runs", "remove it"


@Paper.declare(
    "diversity-anova",
    title="Diversity by analysis of variance",
    citation="Kingrani, Levene & Zhang, A meta-evaluation of evaluation methods for diversified "
    "search, ECIR 2018",
    keys=AnovaKeys,
    uses={"trec2009": (LABELS,)},
    order=4,
)
def diversity_anova(inputs: PaperInputs) -> RerunResult:
    """Tables 1 and 2, what they imply, and the same analysis of further measures and dimensions."""
    from pipeline.papers.diversity import page  # late: not needed by a config check
    from pipeline.papers.diversity.experiment import multidimensional, run
    from pipeline.papers.diversity.implied import implied

    settings, printed = inputs.settings, read(__file__, "diversity_anova.csv")
    counts = implied(printed)
    lists, depth, seed = (settings[key] for key in ("synthetic_lists", "documents", "seed"))
    beyond = page.dimensions(multidimensional(lists=lists, depth=depth, seed=seed), settings)
    if "trec2009" not in inputs.folders:
        return RerunResult(
            cells=absent(list(printed.values()), why=inputs.absent.get("trec2009", "")),
            sections=[page.implied(counts), beyond],
            findings=[page.implied_finding(counts)],
        )
    experiment = run(inputs.file("trec2009", LABELS), settings)
    cells = page.cells(printed, counts, experiment)
    return RerunResult(
        cells=cells,
        findings=[page.implied_finding(counts), *page.findings(experiment)],
        sections=[
            page.conditions(experiment),
            page.tables(experiment, cells),
            page.implied(counts),
            page.further(experiment),
            beyond,
        ],
    )
