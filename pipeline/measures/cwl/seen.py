"""What a user meets on the way down a ranking: gains and costs, rank by rank."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.gains.gains import View
from pipeline.storage.arrays import Floats

HORIZON = 1000  # where a user leaves at the latest whose model does not say what comes behind


@dataclass(frozen=True)
class Seen:
    """The first `depth` ranks; C(i) may depend on anything here up to rank i.

    All arrays are [row, rank], or [1, rank] where every row is alike. Behind the end of a list
    there is nothing to gain (in the upper scenario: everything), at the usual cost.
    """

    view: View
    depth: int

    @cached_property
    def rank(self) -> Floats:
        """1, 2, 3, ..."""
        return np.arange(1.0, self.depth + 1)[None, :]

    @cached_property
    def gain(self) -> Floats:
        """Gain at each rank."""
        view = self.view
        shown = np.where(view.retrieved, view.gain, self.beyond) if self.beyond else view.gain
        return _fitted(shown, self.depth, self.beyond)

    @cached_property
    def cost(self) -> Floats:
        """Cost of each rank: 1 unless the campaign has costs."""
        usual = self.usual_cost
        if self.view.gains.cost is None:
            return np.full((1, self.depth), usual)
        shown = self.view.gains.cost[:, : self.depth]
        held = np.arange(shown.shape[1]) < self.view.gains.length[:, None]
        return _fitted(np.where(held, shown, usual), self.depth, usual)

    @cached_property
    def total_gain(self) -> Floats:
        """Gain so far, at each rank."""
        return np.cumsum(self.gain, axis=1)

    @cached_property
    def total_cost(self) -> Floats:
        """Cost so far, at each rank."""
        return np.cumsum(self.cost, axis=1)

    @property
    def beyond(self) -> float:
        """Gain of each rank the list does not show."""
        return self.view.beyond

    @property
    def usual_cost(self) -> float:
        """Cost of each rank the list does not show."""
        return self.view.gains.usual_cost


def _fitted(values: Floats, depth: int, fill: float) -> Floats:
    """The first `depth` columns, filled up where there are fewer."""
    if (missing := depth - values.shape[1]) <= 0:
        return values[:, :depth]
    return np.pad(values, ((0, 0), (0, missing)), constant_values=fill)
