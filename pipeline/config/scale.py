"""The scale of a dimension's labels: which end is better, what counts, what each gains."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Scale:
    """The scale of the labels of a dimension.

    Args:
        lowest: The lowest label.
        highest: The highest label.
        better: Which end is better, `high` or `low`.
        threshold: The worst label that is relevant in binary measures.
        gains: The gain in [0, 1] of each label; None: linear from the worst to the best end.
        cannot_judge: Codes that mean "cannot judge"; such a document counts as unjudged.

    Labels from 0 (very easy) to 100 (very hard), of which 40 still counts, and a code for "could
    not tell":

    >>> scale = Scale(0, 100, "low", 40, None, cannot_judge=(-1,))
    >>> scale.gain(np.array([0, 25, 40, 100, -1])).tolist()
    [1.0, 0.75, 0.6, 0.0, nan]
    >>> scale.binary(np.array([0, 25, 40, 100, -1])).tolist()
    [1.0, 1.0, 1.0, 0.0, nan]
    """

    lowest: float
    highest: float
    better: str  # "high" or "low"
    threshold: float
    gains: Mapping[float, float] | None  # None: linear between the ends of the scale
    cannot_judge: tuple[float, ...]

    def binary(self, label: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 where the label reaches the threshold; NaN for `cannot_judge`."""
        reached = label <= self.threshold if self.better == "low" else label >= self.threshold
        return np.where(np.isin(label, self.cannot_judge), np.nan, reached.astype(float))

    def gain(self, label: NDArray[np.float64]) -> NDArray[np.float64]:
        """The gain of each label in [0, 1]; NaN for `cannot_judge`."""
        if self.gains is None:
            share = (label - self.lowest) / (self.highest - self.lowest)
            gain = 1 - share if self.better == "low" else share
        else:
            grades = sorted(self.gains)  # between two of them lie only means of several labels
            gain = np.interp(label, grades, [self.gains[grade] for grade in grades])
        return np.where(np.isin(label, self.cannot_judge), np.nan, gain)
