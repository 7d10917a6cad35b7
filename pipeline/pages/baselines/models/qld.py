"""Query likelihood with Dirichlet smoothing."""

from collections.abc import Mapping

from pipeline.pages.baselines.model import model
from pipeline.pages.baselines.settings import Baseline


@model(
    "QLD",
    scorer="qld",
    title="query likelihood, Dirichlet smoothing with `mu`",
    citation="Zhai & Lafferty, TOIS 2004",
    reads=("mu",),
    order=2,
)
def qld(given: Baseline) -> Mapping[str, float]:
    """How many words of the collection are mixed into each document."""
    return {"mu": given.mu}
