"""What a statistic of agreement is, and the comparisons they are all made of.

A statistic takes rankings, scores of shape (..., measures, runs), and gives (..., measures,
measures): the value between every two measures, row the reference, column the estimate. Leading
axes are samples, so that a bootstrap is the same call. Most are a product of two matrices, and what
several need is made once a set of rankings, which is why it is fast.
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


class Rankings:
    """Runs ranked by scores (higher is better) under several measures; ties are kept.

    A run without a score (NaN) is not in that ranking; only overlaps know such. Of many runs the
    comparisons are made another way, see `orders`.
    """

    def __init__(self, scores: Floats) -> None:
        self.scores = scores
        self.runs = scores.shape[-1]
        self.many = (
            self.runs >= orders.MANY
            and orders.extension() is not None
            and not bool(np.isnan(scores).any())
        )

    @cached_property
    def above(self) -> NDArray[np.bool_]:
        """(..., measure, i, j): run j scores above run i."""
        higher: NDArray[np.bool_] = self.scores[..., None, :] > self.scores[..., :, None]
        return higher

    @cached_property
    def signs(self) -> NDArray[np.float32]:
        """(..., measure, pair): 1 where run j scores above run i < j, -1 below, 0 tied."""
        one, other = np.triu_indices(self.runs, k=1)
        i, j = self.scores[..., one], self.scores[..., other]
        return (j > i).astype(np.float32) - (j < i)

    @cached_property
    def places(self) -> tuple[orders.Places, orders.Places]:
        """(..., measure, run) twice: `first` and `size`, by sorting."""
        return orders.places(self.scores)

    @cached_property
    def agreeing(self) -> Floats:
        """(..., measure, measure): ordered pairs of runs in the same order less those in opposite.

        Sums of whole numbers, which short floats add exactly while there are fewer than 2^24.
        """
        if self.many:
            alike, opposite = orders.weighed(*self.places, np.ones(self.scores.shape))
            return np.asarray(2.0 * (alike - opposite))
        exact = self.signs if self.signs.shape[-1] < 2**24 else self.signs.astype(np.float64)
        return 2.0 * (exact @ exact.swapaxes(-1, -2)).astype(np.float64)

    def ordered(self, weight: Floats) -> Floats:
        """(..., reference, estimate): pairs in the same order less those in opposite, weighed.

        A pair has the `weight` (..., measure, run) of the run that the estimate puts below.
        """
        if self.many:
            alike, opposite = orders.weighed(*self.places, weight)
            return np.asarray(alike - opposite)
        one, other = np.triu_indices(self.runs, k=1)
        signs = self.signs.astype(np.float64)  # of (i, j); those of (j, i) are opposite
        mine = np.where(signs > 0, weight[..., one], -weight[..., other]) * (signs != 0)
        return np.asarray(signs @ mine.swapaxes(-1, -2))

    def alike(self, weight: Floats) -> Floats:
        """(..., reference, estimate): pairs in the same order alone, weighed as in `ordered`."""
        if self.many:
            return orders.weighed(*self.places, weight)[0]
        above = self.above.astype(np.float64)
        flat = (*above.shape[:-2], -1)
        mine = (above * weight[..., None]).reshape(flat)
        return np.asarray(above.reshape(flat) @ mine.swapaxes(-1, -2))

    @cached_property
    def first(self) -> Ints:
        """Runs strictly above each run: its tie group fills the ranks from first + 1..."""
        if self.many:
            return self.places[0].astype(np.int64)
        return np.asarray(self.above.sum(axis=-1))

    @cached_property
    def size(self) -> Ints:
        """...to first + size: the runs of its tie group, itself included."""
        if self.many:
            return self.places[1].astype(np.int64)
        return np.asarray(self.runs - self.first - self.above.sum(axis=-2))

    def overlaps(self, weights: Floats, *, kind: str = "share") -> Floats:
        """(..., measure, measure): what two top sets share, summed over depths by their weights.

        A run's `share` is its chance to be in, ties broken at random. With `unit` the shares of a
        depth are a vector of length 1; with `whole` a tied group is in from its top rank on, and
        what is in both is divided by the mean size of the two sets.
        """
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
        """(..., measure, run): a run's chance to be within a depth, ties broken at random."""
        if self.many:
            return np.clip((depth - self.first) / self.size, 0.0, 1.0)
        return np.asarray(self.shares[..., depth - 1, :])

    @property
    def length(self) -> int:
        """How many runs each ranking has; all must have as many."""
        listed = (~np.isnan(self.scores)).sum(axis=-1)
        length = int(listed.max())
        if not np.all(listed == length):
            raise ValueError("rankings of one length are needed")
        return length

    @cached_property
    def shares(self) -> Floats:
        """(..., measure, depth, run): a run's chance to be within the depth."""
        length = self.length
        size = (self.size - (self.runs - length)).astype(np.float64)
        depth = np.arange(1.0, length + 1).reshape(-1, 1)
        share = depth - self.first[..., None, :]
        share /= size[..., None, :]
        np.clip(share, 0.0, 1.0, out=share)
        if length == self.runs:
            return share
        return np.where(~np.isnan(self.scores)[..., None, :], share, 0.0)


def _dice(inside: NDArray[np.bool_], weights: Floats) -> Floats:
    """Dice's coefficient of two sets, summed over depths."""
    held = inside.astype(np.float64)
    size = held.sum(axis=-1)
    total = np.zeros(1)
    for depth, weight in enumerate(weights):
        top = held[..., depth, :]
        both = size[..., :, None, depth] + size[..., None, :, depth]
        total = total + top @ top.swapaxes(-1, -2) / both * (2 * weight)
    return total


@dataclass(frozen=True, kw_only=True)
class Statistic(Entry):
    """A named statistic; called with two score vectors it gives one number."""

    meaning: str  # in one sentence
    matrix: Callable[..., Floats]
    settings: tuple[str, ...] = ()  # of the config that it reads
    one_way: bool = False  # whether it matters which of two measures is the reference

    def __call__(self, x: ArrayLike, y: ArrayLike, **settings: Any) -> float:
        """The value between a reference `x` and an estimate `y`; NaN where it is undefined."""
        a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if a.ndim != 1 or a.shape != b.shape:
            raise ValueError(
                f"two vectors of the same length are needed, not {a.shape} and {b.shape}"
            )
        return float(self.between(Rankings(np.stack([a, b])), **settings)[0, 1])

    def between(self, rankings: Rankings, **settings: Any) -> Floats:
        """The value between every two measures; settings that are not its own are left out."""
        shape = rankings.scores.shape
        if shape[-1] < 2:
            return np.full((*shape[:-1], shape[-2]), np.nan)
        mine = {name: settings[name] for name in self.settings if name in settings}
        with np.errstate(invalid="ignore", divide="ignore"):  # undefined is NaN, not a warning
            return self.matrix(rankings, **mine)


def statistic(**about: Any) -> Callable[[Callable[..., Floats]], Statistic]:
    """Declare a statistic above its function, which names it and whose docstring defines it.

    The first paragraph of the docstring is what the report and the docs say it means; `about` are
    the further fields of Statistic.
    """

    def declare(function: Callable[..., Floats]) -> Statistic:
        meaning = " ".join((function.__doc__ or "").partition("\n\n")[0].split())
        return Statistic(name=function.__name__, meaning=meaning, matrix=function, **about)

    return declare
