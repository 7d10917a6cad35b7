"""A dimension of relevance as a measure meets it: levels at each rank, and what each is worth."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.arrays import Floats, Ints

NOTHING, UNJUDGED = 0, 1
STORED = ("binary", "gain", "label")  # what the label tables hold of each level


@dataclass(frozen=True)
class Dimension:
    """One dimension of relevance: levels found at each rank, and all that was judged."""

    codes: NDArray[Any]  # [run x topic, depth]; bytes, or int32 when there are many levels
    worth: Floats  # [level, stored reading]; NaN for unjudged
    scale: Floats  # lowest label, highest label, and 1 if high is better or -1
    judged_topic: Ints  # -1: judged for every topic
    judged_document: NDArray[np.str_]
    judged_level: Ints
    # Judged by subtopic, a level is all that a document is to its topic's subtopics together.
    subtopics: Floats = field(default_factory=lambda: np.zeros((0, 0, 3)))
    """[level, subtopic, stored reading]; no subtopic where documents have one label each."""
    chances: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    """[topic, subtopic]: P(s) as the campaign gives it; NaN: alike for all with a gain."""

    def subtopic(self, number: int) -> "Dimension":
        """The judgements of one subtopic, as a dimension of its own; itself if it has none."""
        if not self.subtopics.shape[1]:
            return self
        return replace(
            self,
            worth=self.subtopics[:, number],
            subtopics=np.zeros((0, 0, 3)),
            chances=np.zeros((0, 0)),
        )

    def of_topics(self, topics: Ints) -> Floats:
        """The chances of some of the topics, in their order."""
        return self.chances[topics] if self.subtopics.shape[1] else self.chances

    def read(self, reading: str) -> tuple[Floats, float]:
        """What each level is worth under a reading of the labels, and the most there could be.

        binary, gain: as the campaign declares them. grade: steps above the worst label. label: as
        written. exponential: 2^grade - 1. stop: (2^grade - 1) / 2^highest, ERR's chance to be
        satisfied. rel=x: whether the label is x or better, as trec_eval -l. judged: 1, whatever
        the label.
        """
        label = self.worth[:, STORED.index("label")]
        lowest, highest, sign = self.scale.tolist()
        grade = label - lowest if sign > 0 else highest - label
        top = highest - lowest
        if reading in ("binary", "gain"):
            return self._padded(self.worth[:, STORED.index(reading)]), 1.0
        if reading == "label":
            return self._padded(label), highest
        if reading == "grade":
            return self._padded(grade), top
        if reading == "exponential":
            return self._padded(2.0**grade - 1), 2.0**top - 1
        if reading == "stop":
            return self._padded((2.0**grade - 1) / 2.0**top), (2.0**top - 1) / 2.0**top
        if reading == "judged":
            return self._padded(np.ones_like(label)), 1.0
        level = float(reading.removeprefix("rel="))
        reached = label >= level if sign > 0 else label <= level
        return self._padded(np.where(np.isnan(label), np.nan, reached)), 1.0

    def _padded(self, worth: Floats) -> Floats:
        worth = worth.copy()
        worth[NOTHING], worth[UNJUDGED] = 0.0, np.nan
        return worth


def product(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """UBIRE's combination: a document gains as much as all its dimensions together let it."""
    return reduce(np.multiply, parts)


def weighted_product(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """The same with weights, as exponents: one above 1 makes a dimension count for more."""
    return reduce(np.multiply, (part**weight for part, weight in zip(parts, weights, strict=True)))


@dataclass(frozen=True)
class Mix:
    """How the gains of several dimensions become one gain a document."""

    function: Callable[[list[Floats], tuple[float, ...]], Floats] = product
    weights: tuple[float, ...] = ()
    falling: frozenset[str] = frozenset()  # dimensions in which more is worse


PRODUCT = Mix()
