"""DPH, divergence from randomness without parameters."""

from collections.abc import Mapping

from pipeline.pages.baselines.model import model
from pipeline.pages.baselines.settings import Baseline


@model(
    "DPH",
    scorer="dph",
    title="divergence from randomness, hypergeometric, no parameter",
    citation="Amati, Ambrosi, Bianchi, Gaibisso & Gambosi, TREC 2007",
    order=3,
)
def dph(given: Baseline) -> Mapping[str, float]:
    """Nothing to choose."""
    return {}
