"""Zuccon 2016: understandability biased evaluation, with assessors' labels and with estimates."""

from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, paper
from pipeline.papers.published import read
from pipeline.papers.ubire.measures import (
    EASY,
    MODELS,
    OURS,
    THRESHOLDS,
    dimension,
    simulated,
)

KEYS = {
    "generated_pages": {
        "description": "Whether the pages of section 5 are generated: then no figure of it is "
        "compared with print.",
        "type": "boolean",
        "default": True,
    },
}
SMOOTH = tuple(f"gains/{dimension('arctan', threshold)}.npz" for threshold in THRESHOLDS)
USES = {
    "clef2015": ("means.csv", "sources/clef"),
    "pages2013": ("means.csv", "readability.parquet", "gains/topicality.npz", *SMOOTH),
    "pages2015": ("means.csv",),
}
STEP, ARCTAN = (
    tuple(simulated(model, threshold) for threshold in THRESHOLDS) for model in MODELS.values()
)
MEASURES = {
    "clef2015": (*OURS.values(), EASY),
    "pages2013": (OURS["RBP"], *STEP, *ARCTAN),
    "pages2015": (OURS["RBP"], *STEP),
}


@paper(
    "ubire",
    title="Understandability biased evaluation (UBIRE)",
    citation="Zuccon, Understandability biased evaluation for information retrieval, ECIR 2016",
    keys=KEYS,
    uses=USES,
    measures=MEASURES,
    order=2,
)
def ubire(given: Given) -> Outcome:
    """Section 6 with figure 2, weights inside the gain, and section 5 with figure 1."""
    from pipeline.papers.ubire.rerun import rerun  # which a config check need not load

    return rerun(given, read(__file__, "ubire.csv"))
