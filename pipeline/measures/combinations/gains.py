"""One gain mixed from all dimensions of a document, over which a base measure is then taken."""

import numpy as np

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


@combination(
    "TOMA",
    of="gains",
    title="Total order multi-aspect evaluation",
    formula="g = 1 - sqrt(sum_d w(d) (1 - g_d)^2 / sum_d w(d))",
    citation="Maistro, Lima, Simonsen & Lioma, Principled multi-aspect evaluation measures of "
    "rankings, CIKM 2021 (Euclidean distance, here over gains in [0, 1])",
)
def distance(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """Documents in order of their distance to the document that is best in every dimension.

    The gain is the share of the largest possible distance that a document spares the user: 1 at
    the best tuple of gains, 0 at the worst.
    """
    far = weighted_sum([(1 - part) ** 2 for part in parts], weights)
    # Rounding must not put the worst tuple a hair below 0.
    return np.asarray(np.maximum(1 - np.sqrt(far), 0.0))


CITATION = (
    "after Clarke, Rizvi, Smucker, Maistro & Zuccon, Overview of the TREC 2020 Health "
    "Misinformation track"
)


@combination(
    "Helpful",
    of="gains",
    title="Helpful documents",
    formula="g = g_first * sum_(d>1) w(d) g_d / sum_(d>1) w(d)",
    citation=CITATION,
)
def helpful(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """On topic, and good in the other dimensions."""
    return parts[0] * weighted_sum(parts[1:], weights[1:])


@combination(
    "Harmful",
    of="gains",
    title="Harmful documents",
    formula="g = g_first * sum_(d>1) w(d) (1 - g_d) / sum_(d>1) w(d)",
    citation=CITATION,
    falling="others",
)
def harmful(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """On topic, and bad in the other dimensions; what nobody judged does no harm."""
    return parts[0] * (1 - weighted_sum(parts[1:], weights[1:]))


@combination(
    "HelpHarm",
    of="scores",
    title="Helpful minus harmful",
    formula="M(helpful) - M(harmful), in [-1, 1]",
    citation=CITATION,
    parts=("Helpful", "Harmful"),
    linear=True,
    falls=frozenset({"Harmful"}),
)
def difference(scores: Floats, weights: Floats) -> Floats:
    """What a ranking helps more than it harms; it falls as its harmful part rises.

    So its lower end is the least help minus the most harm: exact for binary gains; with graded
    ones a document nobody judged on topic is taken as helpful at best and harmful at worst.
    """
    good, bad = scores
    return np.asarray(good - bad)
