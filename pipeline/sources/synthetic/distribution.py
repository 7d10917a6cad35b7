"""How one dimension's labels are distributed: a quantile function of a standard normal variable.

Labels come from a Gaussian copula: each document has one normal variable for each dimension, its
quality there, and the correlation is between those. A distribution turns quality into a label.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.storage.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Label 1 with a chance, else 0 (Palotti, Zuccon & Hanbury 2018, topicality phase)."""

    chance: float

    def labels(self, quality: Floats) -> Floats:
        """The labels of documents of some quality."""
        from scipy.special import ndtri

        return np.asarray(quality > ndtri(1 - self.chance), np.float64)


@dataclass(frozen=True, kw_only=True)
class Normal:
    """Normal labels, cut to their scale and rounded (the same, understandability phase)."""

    mean: float
    sd: float
    lowest: float = 0.0
    highest: float = 100.0
    better: str = "high"

    def labels(self, quality: Floats) -> Floats:
        """The labels of documents of some quality."""
        sign = 1.0 if self.better == "high" else -1.0
        drawn = self.mean + sign * self.sd * quality
        return np.rint(np.clip(drawn, self.lowest, self.highest))


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Each label of a scale with its own chance."""

    chances: tuple[tuple[float, float], ...]  # label and chance, the worst label first

    def labels(self, quality: Floats) -> Floats:
        """The labels of documents of some quality."""
        from scipy.special import ndtri

        label, chance = (np.array(column) for column in zip(*self.chances, strict=True))
        ends = ndtri(np.minimum(np.cumsum(chance)[:-1], 1.0))  # quality up to which it is worse
        return np.asarray(label[np.searchsorted(ends, quality)], np.float64)


Distribution = Chance | Normal | Levels
