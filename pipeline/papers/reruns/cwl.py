"""Azzopardi, Moffat, Thomas & Zuccon 2021: the C/W/L tutorial, measures compared as users."""

from typing import Annotated

from pydantic import Field

from pipeline.config.base import Mistakes, Share, Text, Whole
from pipeline.config.papers import Paper
from pipeline.errors import InputError
from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, paper
from pipeline.papers.published import read


class Keys(Paper):
    """The ranking that users are plotted on, and further users."""

    gains: Annotated[tuple[Share, ...], Field(min_length=1)] = Field(
        (0, 0, 1, 0.5, 1),
        description="Gains, rank by rank, of the ranking the users are plotted on; the tutorial's "
        "example by default (bad, bad, good, fair, good).",
    )
    ranks: Whole = Field(20, ge=2, le=1000, description="Ranks that are plotted.")
    models: tuple[Text, ...] = Field(
        (),
        description='Further user models to plot, for example `"RBP(p=0.95)"`; every model of the '
        "engine, your own too, is there with its default parameters.",
    )

    def problems(self) -> Mistakes:
        """The gains fit the ranks, and there are such models."""
        from pipeline.papers.cwl.users import figure

        if len(self.gains) > self.ranks:
            yield ("gains",), f"has more entries than the {self.ranks} ranks shown", "raise ranks"
        for place, text in enumerate(self.models):
            try:
                figure("ED", text)
            except InputError as error:
                yield ("models", place), str(error), "correct it"


@paper(
    "cwl",
    title="The C/W/L tutorial",
    citation="Azzopardi, Moffat, Thomas & Zuccon, User models, metrics and measures of search: a "
    "tutorial on the CWL evaluation framework, CHIIR 2021",
    keys=Keys,
    order=6,
)
def cwl(given: Given) -> Outcome:
    """AP with its examples, the result pages to choose from, and every user model as a user."""
    from pipeline.papers.cwl.rerun import rerun  # which a config check need not load

    return rerun(given, read(__file__, "cwl.csv"))
