"""Combinations of gains: a document's gains become one gain, to which the base measure applies."""

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
    """A document's gain is the weighted mean of its gains; the paper's measure is over nDCG."""
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
    """Documents are ordered by their distance to a document that is best in every dimension.

    The gain is 1 minus the distance as a share of the largest possible distance: 1 at the best
    tuple of gains, 0 at the worst.
    """
    squared = weighted_sum([(1 - part) ** 2 for part in parts], weights)
    # Rounding must not put the worst tuple below 0.
    return np.asarray(np.maximum(1 - np.sqrt(squared), 0.0))


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
    """Relevant to the topic, and good in the other dimensions."""
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
    """Relevant to the topic, and bad in the other dimensions; unjudged documents do no harm."""
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
    """How much more a ranking helps than it harms.

    Its lower bound is the lowest help minus the highest harm. This is exact for binary gains; with
    graded gains an unjudged document counts as helpful at best and harmful at worst.
    """
    helpful_score, harmful_score = scores
    return np.asarray(helpful_score - harmful_score)
