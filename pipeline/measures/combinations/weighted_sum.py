"""The weighted sum of a document's gains, over which a base measure is then taken."""

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats


@combination(
    "nWCS",
    of="gains",
    title="Normalised weighted cumulative score (over nDCG)",
    formula="g = sum_d w(d) g_d / sum_d w(d)",
    citation="Lioma, Simonsen & Larsen, Evaluation measures for relevance and credibility in "
    "ranked lists, ICTIR 2017",
)
def weighted_sum(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """A document is worth the weighted mean of its gains; the paper's measure is over nDCG."""
    total = weights[0] * parts[0]
    for weight, part in zip(weights[1:], parts[1:], strict=True):
        total = total + weight * part
    return total / sum(weights)
