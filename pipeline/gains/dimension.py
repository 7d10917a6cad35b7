"""A dimension of relevance as measures see it: levels at each rank, and the gain of each level."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats, Ints

NOTHING, UNJUDGED = 0, 1
STORED = ("binary", "gain", "label")  # readings that label tables store of each level


@dataclass(frozen=True)
class Dimension:
    """One dimension of relevance: levels at each rank, and all judgements."""

    codes: NDArray[Any]  # [run x topic, depth] levels; bytes, or int32 if there are many levels
    worth: Floats  # [level, stored reading]; NaN for unjudged
    scale: Floats  # lowest label, highest label, and 1 if high is better or -1
    judged_topic: Ints  # -1: judged for every topic
    judged_document: NDArray[np.str_]
    judged_level: Ints
    # With judgements by subtopic, a level stands for a document's labels in all subtopics.
    subtopics: Floats = field(default_factory=lambda: np.zeros((0, 0, 3)))
    """[level, subtopic, stored reading]; empty if documents have one label each."""
    chances: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    """[topic, subtopic]: P(s) from the campaign; NaN: equal for all subtopics with a gain."""

    def subtopic(self, number: int) -> "Dimension":
        """The judgements of one subtopic as a dimension; unchanged without subtopics."""
        if not self.subtopics.shape[1]:
            return self
        none: dict[str, Any] = {"subtopics": np.zeros((0, 0, 3)), "chances": np.zeros((0, 0))}
        return replace(self, worth=self.subtopics[:, number], **none)

    def of_topics(self, topics: Ints) -> Floats:
        """The subtopic probabilities of the given topics, in their order."""
        return self.chances[topics] if self.subtopics.shape[1] else self.chances

    def read(self, reading: str) -> tuple[Floats, float]:
        """The gain of each level under a reading of the labels, and the largest possible gain.

        binary, gain: as the campaign declares them. grade: steps above the worst label. label: the
        label itself. exponential: 2^grade - 1. stop: (2^grade - 1) / 2^highest, the probability
        that ERR's user is satisfied. rel=x: 1 if the label is x or better, like trec_eval -l.
        judged: 1 for any label.
        """
        label = self.worth[:, STORED.index("label")]
        lowest, highest, sign = self.scale.tolist()
        grade = label - lowest if sign > 0 else highest - label
        best, top = 1.0, highest - lowest
        if reading in ("binary", "gain"):
            worth = self.worth[:, STORED.index(reading)].copy()
        elif reading == "label":
            worth, best = label.copy(), highest
        elif reading == "grade":
            worth, best = grade, top
        elif reading == "exponential":
            worth, best = 2.0**grade - 1, 2.0**top - 1
        elif reading == "stop":
            worth, best = (2.0**grade - 1) / 2.0**top, (2.0**top - 1) / 2.0**top
        elif reading == "judged":
            worth = np.ones_like(label)
        else:
            level = float(reading.removeprefix("rel="))
            worth = (label >= level if sign > 0 else label <= level).astype(float)
        worth[NOTHING], worth[UNJUDGED] = 0.0, np.nan
        return worth, best


def product(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """UBIRE's combination: the product of the gains in all dimensions."""
    return reduce(np.multiply, parts)


def weighted_product(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """The product with weights as exponents: a weight above 1 makes a dimension count more."""
    return reduce(np.multiply, (part**weight for part, weight in zip(parts, weights, strict=True)))


@dataclass(frozen=True)
class Mix:
    """How the gains of several dimensions become one gain per document."""

    function: Callable[[list[Floats], tuple[float, ...]], Floats] = product
    weights: tuple[float, ...] = ()
    falling: frozenset[str] = frozenset()  # dimensions whose gain lowers the mixed gain


PRODUCT = Mix()
