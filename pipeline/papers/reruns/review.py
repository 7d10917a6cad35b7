"""Basu 2019: a review of ways to evaluate, whose one worked example is computed here again."""

from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, paper
from pipeline.papers.published import read


@paper(
    "review",
    title="A review of ways to evaluate",
    citation="Basu, Review of ways to evaluate an information retrieval system, 2019",
    order=5,
)
def review(given: Given) -> Outcome:
    """Each figure of the worked example, and what else the engine says of its list."""
    from pipeline.papers.review.rerun import rerun  # which a config check need not load

    return rerun(read(__file__, "review.csv"))
