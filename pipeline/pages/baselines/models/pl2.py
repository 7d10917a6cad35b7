"""PL2, divergence from randomness with a Poisson model."""

from collections.abc import Mapping

from pipeline.pages.baselines.model import model
from pipeline.pages.baselines.settings import Baseline


@model(
    "PL2",
    scorer="pl2",
    title="divergence from randomness, Poisson, length normalised with `c`",
    citation="Amati & van Rijsbergen, TOIS 2002",
    reads=("c",),
    order=4,
)
def pl2(given: Baseline) -> Mapping[str, float]:
    """How much length counts."""
    return {"c": given.c}
