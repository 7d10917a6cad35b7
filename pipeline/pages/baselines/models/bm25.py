"""BM25, with PISA's defaults for its parameters (those of Anserini, too)."""

from collections.abc import Mapping

from pipeline.pages.baselines.model import model
from pipeline.pages.baselines.settings import Baseline


@model(
    "BM25",
    scorer="bm25",
    title="Okapi BM25, parameters `k1` and `b`",
    citation="Robertson & Zaragoza, 2009",
    reads=("k1", "b"),
    order=1,
)
def bm25(given: Baseline) -> Mapping[str, float]:
    """How soon repetition saturates, and how much length counts."""
    return {"k1": given.k1, "b": given.b}
