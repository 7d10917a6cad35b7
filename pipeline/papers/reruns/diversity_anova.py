"""Kingrani, Levene & Zhang 2018: what measures of diversity are made of, by their variance."""

from collections.abc import Mapping
from typing import Any

from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, Problems, paper
from pipeline.papers.published import absent, read

LABELS = "labels/topicality.parquet"
LEVELS = ("low", "medium", "high")
KEYS: Mapping[str, Mapping[str, Any]] = {
    "lists_each": {
        "description": "Lists drawn for each topic and condition.",
        "type": "integer",
        "minimum": 2,
        "default": 10,
    },
    "documents": {
        "description": "Documents of a drawn list.",
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 10,
    },
    "bounds": {
        "description": "Where medium begins and where high does, of richness, evenness and "
        "relevance.",
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "default": [0.3, 0.6],
    },
    "boundary": {
        "description": "Whether a value on a bound belongs to the range `above` or `below` it.",
        "enum": ["above", "below"],
        "default": "above",
    },
    "conditions": {
        "description": "Only these conditions, each the levels of richness, evenness and "
        "relevance, as `[low, high, medium]`; all that can be met when null.",
        "type": ["array", "null"],
        "minItems": 1,
        "items": {
            "type": "array",
            "minItems": 3,
            "maxItems": 3,
            "items": {"enum": list(LEVELS)},
        },
        "default": None,
    },
    "draws": {
        "description": "How often all lists are drawn, with one seed after the other; ours is the "
        "mean of all, and what is said of the order of effects must hold in each.",
        "type": "integer",
        "minimum": 1,
        "default": 5,
    },
    "further_measures": {
        "description": "Further measures of the engine to analyse in the same way.",
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "string", "minLength": 1},
        "default": ["nERR-IA@10", "nNRBP", "D-nDCG@10", "D#-nDCG@10", "P@10", "nDCG@10"],
    },
    "subtopics_file": {
        "description": "The track's topics file (XML), whose subtopics are N in further rows of "
        "the count of conditions; left out when null.",
        "type": ["string", "null"],
        "minLength": 1,
        "default": None,
    },
    "synthetic_lists": {
        "description": "Synthetic lists for each combination of three dimensions' levels.",
        "type": "integer",
        "minimum": 2,
        "default": 1000,
    },
}


def _problems(settings: Mapping[str, Any]) -> Problems:
    from pipeline.errors import InputError
    from pipeline.measures import parse

    low, high = settings["bounds"]
    if low >= high:
        yield "bounds", f"[{low:g}, {high:g}] is no ascending range; write the smaller one first"
    for text in settings["further_measures"]:
        try:
            measure = parse(text, dimensions=["topicality"])
        except InputError as error:
            yield "further_measures", f": {error}"
            continue
        if measure.scored:
            yield "further_measures", f"holds '{text}', which needs scores of systems; remove it"


@paper(
    "diversity-anova",
    title="Diversity by analysis of variance",
    citation="Kingrani, Levene & Zhang, A meta-evaluation of evaluation methods for diversified "
    "search, ECIR 2018",
    keys=KEYS,
    uses={"trec2009": (LABELS,)},
    problems=_problems,
    order=4,
)
def diversity_anova(given: Given) -> Outcome:
    """Tables 1 and 2, what they imply, and the same analysis of further measures and dimensions."""
    from pipeline.papers.reruns import diversity_page as page
    from pipeline.papers.reruns.diversity_experiment import multidimensional
    from pipeline.papers.reruns.diversity_implied import implied
    from pipeline.papers.reruns.diversity_run import run

    settings, printed = given.settings, read(__file__, "diversity_anova.csv")
    counts = implied(printed)
    dimensions = multidimensional(
        lists=settings["synthetic_lists"], depth=settings["documents"], seed=settings["seed"]
    )
    beyond = page.dimensions(dimensions, settings)
    if "trec2009" not in given.folders:
        return Outcome(
            cells=absent(list(printed.values()), why=given.absent.get("trec2009", "")),
            sections=[page.implied(counts), beyond],
            findings=page.implied_findings(counts),
        )
    ran = run(given.file("trec2009", LABELS), settings)
    cells = page.cells(printed, counts, ran)
    return Outcome(
        cells=cells,
        findings=[*page.implied_findings(counts), *page.findings(ran)],
        sections=[
            page.conditions(ran),
            page.tables(ran, cells),
            page.implied(counts),
            page.further(ran),
            beyond,
        ],
    )
