"""What a statistic of agreement is, and the comparisons that all statistics use.

A statistic takes rankings, scores of shape (..., measures, runs), and returns (..., measures,
measures): the value between each pair of measures; rows are references, columns estimates. Leading
axes are samples, so a bootstrap is the same call. Most statistics are a product of two matrices,
and `SystemRankings` caches what several of them need.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.registry import Entry
from pipeline.statistics.correlation import orders
from pipeline.storage.arrays import Floats, Ints


class SystemRankings:
    """Runs ranked by scores (higher is better) under several measures; ties are kept.

    A run without a score (NaN) is not in that ranking; only overlaps support this. Many runs are
    compared in C, see `orders`.
    """

    def __init__(self, scores: Floats) -> None:
        self.scores = scores
        self.runs = scores.shape[-1]
        many = self.runs >= orders.MIN_RUNS and orders.extension() is not None
        self.many = many and not bool(np.isnan(scores).any())

    @cached_property
    def above(self) -> NDArray[np.bool_]:
        """(..., measure, i, j): run j scores above run i."""
        return np.asarray(self.scores[..., None, :] > self.scores[..., :, None])

    @cached_property
    def signs(self) -> NDArray[np.float32]:
        """(..., measure, pair): 1 where run j scores above run i < j, -1 below, 0 tied."""
        first, second = np.triu_indices(self.runs, k=1)
        i, j = self.scores[..., first], self.scores[..., second]
        return (j > i).astype(np.float32) - (j < i)

    @cached_property
    def places(self) -> tuple[orders.Places, orders.Places]:
        """(..., measure, run) twice: `first` and `size`, by sorting."""
        return orders.places(self.scores)

    @cached_property
    def agreeing(self) -> Floats:
        """(..., measure, measure): concordant minus discordant ordered pairs of runs."""
        if self.many:
            alike, opposite = orders.count_pairs(*self.places, np.ones(self.scores.shape))
            return np.asarray(2.0 * (alike - opposite))
        # Sums of whole numbers are exact in 32-bit floats below 2^24.
        exact = self.signs if self.signs.shape[-1] < 2**24 else self.signs.astype(np.float64)
        return 2.0 * (exact @ exact.swapaxes(-1, -2)).astype(np.float64)

    def ordered(self, weight: Floats) -> Floats:
        """(..., reference, estimate): weighted concordant minus discordant pairs of runs.

        A pair has the `weight` (..., measure, run) of the run that the estimate ranks lower.
        """
        if self.many:
            alike, opposite = orders.count_pairs(*self.places, weight)
            return np.asarray(alike - opposite)
        first, second = np.triu_indices(self.runs, k=1)
        signs = self.signs.astype(np.float64)  # of (i, j); those of (j, i) are opposite
        weighted = np.where(signs > 0, weight[..., first], -weight[..., second]) * (signs != 0)
        return np.asarray(signs @ weighted.swapaxes(-1, -2))

    def alike(self, weight: Floats) -> Floats:
        """(..., reference, estimate): concordant pairs only, weighted as in `ordered`."""
        if self.many:
            return orders.count_pairs(*self.places, weight)[0]
        above = self.above.astype(np.float64)
        flat = (*above.shape[:-2], -1)
        weighted = (above * weight[..., None]).reshape(flat)
        return np.asarray(above.reshape(flat) @ weighted.swapaxes(-1, -2))

    @cached_property
    def first(self) -> Ints:
        """(..., measure, run): runs strictly above; the tie group has the ranks from first + 1."""
        if self.many:
            return self.places[0].astype(np.int64)
        return np.asarray(self.above.sum(axis=-1))

    @cached_property
    def size(self) -> Ints:
        """(..., measure, run): runs in its tie group, including itself."""
        if self.many:
            return self.places[1].astype(np.int64)
        return np.asarray(self.runs - self.first - self.above.sum(axis=-2))

    def overlaps(self, weights: Floats, *, kind: str = "share") -> Floats:
        """(..., measure, measure): the weighted overlap of top sets (for `kind` see `orders`)."""
        if self.many:
            return orders.overlaps(*self.places, weights, kind=kind)
        shares = self.shares[..., : len(weights), :]
        if kind == "whole":
            return _dice(shares > 0, weights)
        if kind == "unit":
            shares = shares / np.sqrt(np.square(shares).sum(axis=-1, keepdims=True))
        flat = (*shares.shape[:-2], -1)  # one product for all depths
        rooted = (shares * np.sqrt(weights)[:, None]).reshape(flat)
        return np.asarray(rooted @ rooted.swapaxes(-1, -2))

    def within(self, depth: int) -> Floats:
        """(..., measure, run): a run's probability to be in the top `depth`, ties at random."""
        if self.many:
            return np.clip((depth - self.first) / self.size, 0.0, 1.0)
        return np.asarray(self.shares[..., depth - 1, :])

    @property
    def length(self) -> int:
        """The number of runs in each ranking, which must be the same for all."""
        counts = (~np.isnan(self.scores)).sum(axis=-1)
        length = int(counts.max())
        if not np.all(counts == length):
            raise ValueError("all rankings must have the same number of runs")
        return length

    @cached_property
    def shares(self) -> Floats:
        """(..., measure, depth, run): a run's probability to be in the top `depth`."""
        length = self.length
        size = (self.size - (self.runs - length)).astype(np.float64)
        share = np.arange(1.0, length + 1).reshape(-1, 1) - self.first[..., None, :]
        share /= size[..., None, :]
        np.clip(share, 0.0, 1.0, out=share)
        if length == self.runs:
            return share
        return np.where(~np.isnan(self.scores)[..., None, :], share, 0.0)


def _dice(inside: NDArray[np.bool_], weights: Floats) -> Floats:
    """Dice's coefficient of two sets, summed over depths."""
    members = inside.astype(np.float64)
    size = members.sum(axis=-1)
    total = np.zeros(1)
    for depth, weight in enumerate(weights):
        top = members[..., depth, :]
        sizes = size[..., :, None, depth] + size[..., None, :, depth]
        total = total + top @ top.swapaxes(-1, -2) / sizes * (2 * weight)
    return total


@dataclass(frozen=True, kw_only=True)
class Statistic(Entry):
    """A named statistic; called with two score vectors it returns one number."""

    meaning: str  # in one sentence
    matrix: Callable[..., Floats]
    settings: tuple[str, ...] = ()  # settings of the config that it reads
    one_way: bool = False  # whether it is asymmetric: it matters which measure is the reference

    def __call__(self, x: ArrayLike, y: ArrayLike, **settings: Any) -> float:
        """The value between a reference `x` and an estimate `y`; NaN if undefined."""
        a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if a.ndim != 1 or a.shape != b.shape:
            raise ValueError(f"x and y must be of the same length, not {a.shape} and {b.shape}")
        return float(self.between(SystemRankings(np.stack([a, b])), **settings)[0, 1])

    def between(self, rankings: SystemRankings, **settings: Any) -> Floats:
        """The value between each pair of measures; settings of other statistics are ignored."""
        shape = rankings.scores.shape
        if shape[-1] < 2:
            return np.full((*shape[:-1], shape[-2]), np.nan)
        accepted = {name: settings[name] for name in self.settings if name in settings}
        with np.errstate(invalid="ignore", divide="ignore"):  # undefined is NaN, not a warning
            return self.matrix(rankings, **accepted)


def statistic(**fields: Any) -> Callable[[Callable[..., Floats]], Statistic]:
    """Declare a statistic by its function, whose name and docstring become the statistic's.

    The report and the docs print the first paragraph of the docstring. `fields` are the other
    fields of Statistic.
    """

    def declare(function: Callable[..., Floats]) -> Statistic:
        meaning = " ".join((function.__doc__ or "").partition("\n\n")[0].split())
        return Statistic(name=function.__name__, meaning=meaning, matrix=function, **fields)

    return declare
