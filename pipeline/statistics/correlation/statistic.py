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

from pipeline.registry import LAST, Entry
from pipeline.storage.arrays import Floats, Ints


class Rankings:
    """Runs ranked by scores (higher is better) under several measures; ties are kept.

    A run without a score (NaN) is not in that ranking; only overlaps know such.
    """

    def __init__(self, scores: Floats) -> None:
        self.scores = scores
        self.runs = scores.shape[-1]

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
    def agreeing(self) -> Floats:
        """(..., measure, measure): ordered pairs of runs in the same order less those in opposite.

        Sums of whole numbers, which short floats add exactly while there are fewer than 2^24.
        """
        exact = self.signs if self.signs.shape[-1] < 2**24 else self.signs.astype(np.float64)
        return 2.0 * (exact @ exact.swapaxes(-1, -2)).astype(np.float64)

    @cached_property
    def first(self) -> Ints:
        """Runs strictly above each run: its tie group fills the ranks from first + 1..."""
        return np.asarray(self.above.sum(axis=-1))

    @cached_property
    def size(self) -> Ints:
        """...to first + size: the runs of its tie group, itself included."""
        return np.asarray(self.runs - self.first - self.above.sum(axis=-2))

    @cached_property
    def shares(self) -> Floats:
        """(..., measure, depth, run): a run's chance to be within the depth, ties broken at random.

        All rankings must be equally long.
        """
        listed = ~np.isnan(self.scores)
        length = int(listed.sum(axis=-1).max())
        if not np.all(listed.sum(axis=-1) == length):
            raise ValueError("rankings of one length are needed")
        size = (self.size - (self.runs - length)).astype(np.float64)
        depth = np.arange(1.0, length + 1).reshape(-1, 1)
        share = depth - self.first[..., None, :]
        share /= size[..., None, :]
        np.clip(share, 0.0, 1.0, out=share)
        return share if length == self.runs else np.where(listed[..., None, :], share, 0.0)


@dataclass(frozen=True, kw_only=True)
class Statistic(Entry):
    """A named statistic; called with two score vectors it gives one number."""

    meaning: str  # in one sentence
    matrix: Callable[..., Floats]
    settings: tuple[str, ...]  # of the config that it reads
    one_way: bool  # whether it matters which of two measures is the reference

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


def statistic(
    *,
    title: str,
    citation: str,
    settings: tuple[str, ...] = (),
    one_way: bool = False,
    order: int = LAST,
) -> Callable[[Callable[..., Floats]], Statistic]:
    """Declare a statistic above its function, which names it and whose docstring defines it.

    The first paragraph of the docstring is what the report and the docs say it means.
    """

    def declare(function: Callable[..., Floats]) -> Statistic:
        return Statistic(
            name=function.__name__,
            title=title,
            meaning=" ".join((function.__doc__ or "").partition("\n\n")[0].split()),
            citation=citation,
            settings=settings,
            one_way=one_way,
            order=order,
            matrix=function,
        )

    return declare
