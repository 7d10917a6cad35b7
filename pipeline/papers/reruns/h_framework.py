"""Palotti, Zuccon & Hanbury 2018: the H framework, on synthetic systems and on CLEF eHealth."""

from pipeline.papers.h_framework.runs import MEASURES
from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, paper
from pipeline.papers.published import read

KEYS = {
    "lists": {
        "description": "Lists of a synthetic system, as many as the paper drew.",
        "type": "integer",
        "minimum": 2,
        "default": 1000,
    },
    "repeats": {
        "description": "How often the paper's experiment is run; ours is the mean of all.",
        "type": "integer",
        "minimum": 1,
        "default": 20,
    },
    "length": {
        "description": "Documents of a synthetic list.",
        "type": "integer",
        "minimum": 1,
        "default": 10,
    },
    "correlations": {
        "description": "Correlations between the dimensions to try, each from -1 to 1.",
        "type": "array",
        "minItems": 1,
        "uniqueItems": True,
        "items": {"type": "number", "minimum": -1, "maximum": 1},
        "default": [-0.9, -0.75, -0.6, -0.45, -0.3, -0.15, 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9],
    },
}
ROLES = ("clef2015", "clef2016")
FILES = ("correlations.csv",)


@paper(
    "h-framework",
    title="H framework",
    citation="Palotti, Zuccon & Hanbury, MM: a new framework for multidimensional evaluation of "
    "search engines, CIKM 2018",
    keys=KEYS,
    uses=dict.fromkeys(ROLES, FILES),
    measures=dict.fromkeys(ROLES, tuple(MEASURES.values())),
    order=1,
)
def h_framework(given: Given) -> Outcome:
    """Tables 1 and 2, figure 1, the case study, and what correlation does to both frameworks."""
    from pipeline.papers.h_framework.rerun import rerun  # which a config check need not load

    return rerun(given, read(__file__, "h_framework.csv"))
