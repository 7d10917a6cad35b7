"""The ranks that a user reads, and the five figures of this walk.

P(i) = prod_(j<i) C(j) is the share of users that reach rank i, where C(i) is the probability that a
user at rank i continues to the next. All figures follow from three sums:

    ED  = sum P(i)           expected depth, equal to sum i L(i)
    ETU = sum P(i) g(i)      expected total utility, equal to sum L(i) (g(1) + ... + g(i))
    ETC = sum P(i) c(i)      expected total cost
    EU = ETU / ED,  EC = ETC / ED    per document, since W(i) = P(i) / sum P

L(i) = P(i) (1 - C(i)) is the share that stops at rank i.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipeline.gains.dimension import PRODUCT
from pipeline.gains.gains import View
from pipeline.storage.arrays import Floats

HORIZON = 1000  # the last rank of users whose model declares no tail


@dataclass(frozen=True)
class Ranks:
    """The first `depth` ranks; C(i) may depend on everything here up to rank i.

    Arrays are [row, rank], or [1, rank] if all rows are equal. Ranks past the end of a ranking have
    no gain (the best gain in the upper scenario) and the usual cost.
    """

    view: View
    depth: int

    @cached_property
    def rank(self) -> Floats:
        return np.arange(1.0, self.depth + 1)[None, :]

    @cached_property
    def gain(self) -> Floats:
        view = self.view
        shown = np.where(view.retrieved, view.gain, self.beyond) if self.beyond else view.gain
        return _fit(shown, self.depth, self.beyond)

    @cached_property
    def cost(self) -> Floats:
        """Cost of each rank: 1 unless the campaign has costs."""
        usual = self.usual_cost
        if self.view.gains.cost is None:
            return np.full((1, self.depth), usual)
        shown = self.view.gains.cost[:, : self.depth]
        retrieved = np.arange(shown.shape[1]) < self.view.gains.length[:, None]
        return _fit(np.where(retrieved, shown, usual), self.depth, usual)

    @cached_property
    def total_gain(self) -> Floats:
        return np.cumsum(self.gain, axis=1)

    @cached_property
    def total_cost(self) -> Floats:
        return np.cumsum(self.cost, axis=1)

    @property
    def beyond(self) -> float:
        return self.view.beyond

    @property
    def usual_cost(self) -> float:
        return self.view.gains.usual_cost


def _fit(values: Floats, depth: int, fill: float) -> Floats:
    """The first `depth` columns; missing ones have the value `fill`."""
    if (missing := depth - values.shape[1]) <= 0:
        return values[:, :depth]
    return np.pad(values, ((0, 0), (0, missing)), constant_values=fill)


@dataclass(frozen=True)
class Walk:
    """A user's walk: the ranks, the share of users that reaches each, and the tail."""

    ranks: Ranks
    reach: Floats  # [row or 1, rank]: P(i)
    tail: Floats  # [row or 1]: sum of P(i) over the ranks past the last one

    @property
    def depth(self) -> Floats:
        """ED: documents read."""
        total = self.reach.sum(axis=1) + self.tail
        return np.broadcast_to(total, len(self.ranks.view.topic)).copy()

    @property
    def utility(self) -> Floats:
        """ETU: gain of all documents read."""
        return self._weighted(self.ranks.gain) + self.tail * self.ranks.beyond

    @property
    def cost(self) -> Floats:
        """ETC: cost of all documents read."""
        if self.ranks.view.gains.cost is None:
            return self.depth * self.ranks.usual_cost
        return self._weighted(self.ranks.cost) + self.tail * self.ranks.usual_cost

    @property
    def weights(self) -> Floats:
        """W: the share of attention at each rank."""
        return np.asarray(self.reach / self.depth[:, None])

    def _weighted(self, values: Floats) -> Floats:
        if len(self.reach) == 1:
            return np.asarray(values @ self.reach[0])
        return np.asarray(np.einsum("ri,ri->r", self.reach, values))


class Figure(NamedTuple):
    """One of the five figures, computed from a walk."""

    title: str
    formula: str
    read: Callable[[Walk], Floats]


WALK_FIGURES: Mapping[str, Figure] = {
    "EU": Figure("expected utility per document", "sum_i P(i) g(i) / sum_i P(i)",
                 lambda walk: walk.utility / walk.depth),
    "ETU": Figure("expected total utility", "sum_i P(i) g(i)", lambda walk: walk.utility),
    "EC": Figure("expected cost per document", "sum_i P(i) c(i) / sum_i P(i)",
                 lambda walk: walk.cost / walk.depth),
    "ETC": Figure("expected total cost", "sum_i P(i) c(i)", lambda walk: walk.cost),
    "ED": Figure("expected depth", "sum_i P(i)", lambda walk: walk.depth),
}  # fmt: skip


def has_binary_gains(view: View) -> bool:
    """Whether every gain is 0 or 1."""
    readings = view.readings.values()
    return view.mix is PRODUCT and all(r == "binary" or r.startswith("rel=") for r in readings)
