"""Helpful and harmful documents: on topic and good, or on topic and bad, in what else matters.

The first dimension says how much a document is on topic; the weighted mean of the others splits
that gain into a helpful and a harmful share, so the two always add up to it. The weight of the
first dimension has no effect.
"""

import numpy as np

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats

CITATION = (
    "after Clarke, Rizvi, Smucker, Maistro & Zuccon, Overview of the TREC 2020 Health "
    "Misinformation track"
)


def _good(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    total = weights[1] * parts[1]
    for weight, part in zip(weights[2:], parts[2:], strict=True):
        total = total + weight * part
    return total / sum(weights[1:])


@combination(
    "Helpful",
    of="gains",
    title="Helpful documents",
    formula="g = g_first * sum_(d>1) w(d) g_d / sum_(d>1) w(d)",
    citation=CITATION,
)
def helpful(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """On topic, and good in the other dimensions."""
    return parts[0] * _good(parts, weights)


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
    return parts[0] * (1 - _good(parts, weights))


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
