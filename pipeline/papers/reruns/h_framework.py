"""Palotti, Zuccon & Hanbury 2018: the H framework, on synthetic systems and on CLEF eHealth."""

from typing import Annotated

from pydantic import Field

from pipeline.config.base import Number, Unique, Whole
from pipeline.config.papers import Paper as PaperKeys
from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, Paper
from pipeline.papers.published import read

Correlation = Annotated[Number, Field(ge=-1, le=1)]


class Keys(PaperKeys):
    """How much of the paper's experiment is run."""

    lists: Whole = Field(
        1000, ge=2, description="Rankings of a synthetic system, as many as the paper drew."
    )
    repeats: Whole = Field(
        20,
        ge=1,
        description="How often the paper's experiment is run; ours is the mean of all.",
    )
    length: Whole = Field(10, ge=1, description="Documents of a synthetic ranking.")
    correlations: Annotated[tuple[Correlation, ...], Unique] = Field(
        (-0.9, -0.75, -0.6, -0.45, -0.3, -0.15, 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9),
        min_length=1,
        description="Correlations between the dimensions to try, each from -1 to 1.",
    )


MEASURES = {  # of table 2, as printed and as the campaigns name them
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBP(p=0.8)",
    "RBP_u": "RBP(p=0.8, on=understandability)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}
ROLES = ("clef2015", "clef2016")
FILES = ("correlations.csv",)


@Paper.declare(
    "h-framework",
    title="H framework",
    citation="Palotti, Zuccon & Hanbury, MM: a new framework for multidimensional evaluation of "
    "search engines, CIKM 2018",
    keys=Keys,
    uses=dict.fromkeys(ROLES, FILES),
    measures=dict.fromkeys(ROLES, tuple(MEASURES.values())),
    order=1,
)
def h_framework(given: Given) -> Outcome:
    """Tables 1 and 2, figure 1, the case study, and what correlation does to both frameworks."""
    from pipeline.papers.h_framework.rerun import rerun  # which a config check need not load

    return rerun(given, read(__file__, "h_framework.csv"), MEASURES)
