"""The five figures of C/W/L, each from the share of users that reach a rank.

P(i) = prod_(j<i) C(j) is that share. All else follows from three sums over it:

    ED  = sum P(i)           expected depth, since sum i L(i) = sum P(i)
    ETU = sum P(i) g(i)      expected total utility, since sum L(i) (g(1) + ... + g(i)) is that
    ETC = sum P(i) c(i)      expected total cost
    EU = ETU / ED,  EC = ETC / ED    per document, since W(i) = P(i) / sum P

L(i) = P(i) (1 - C(i)) is the share that leaves at rank i.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.measures.cwl.seen import Seen
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class Walk:
    """A user's way: what is met, the share that reaches each rank, and what comes behind."""

    seen: Seen
    reach: Floats  # [row or 1, rank]
    tail: Floats  # [row or 1]: sum of P(i) over the ranks behind

    @property
    def depth(self) -> Floats:
        """ED: documents looked at."""
        rows = len(self.seen.view.topic)
        found = self.reach.sum(axis=1) + self.tail
        return np.broadcast_to(found, (rows,)).copy()

    @property
    def utility(self) -> Floats:
        """ETU: gain of all documents looked at."""
        return self._weighted(self.seen.gain) + self.tail * self.seen.beyond

    @property
    def cost(self) -> Floats:
        """ETC: cost of all documents looked at."""
        if self.seen.view.gains.cost is None:
            return self.depth * self.seen.usual_cost
        return self._weighted(self.seen.cost) + self.tail * self.seen.usual_cost

    @property
    def weights(self) -> Floats:
        """W: the share of attention each rank gets."""
        return np.asarray(self.reach / self.depth[:, None])

    def _weighted(self, values: Floats) -> Floats:
        if len(self.reach) == 1:
            return np.asarray(values @ self.reach[0])
        return np.asarray(np.einsum("ri,ri->r", self.reach, values))


def reach(go_on: Floats) -> Floats:
    """P(i), the share of users who look at rank i, from C."""
    shares = np.ones_like(go_on)
    np.cumprod(go_on[:, :-1], axis=1, out=shares[:, 1:])
    return shares


@dataclass(frozen=True)
class Figure:
    """One of the five: how it is read off a walk."""

    name: str
    title: str
    formula: str
    read: Callable[[Walk], Floats]


FIGURES_OF_A_WALK: Mapping[str, Figure] = {
    figure.name: figure
    for figure in (
        Figure("EU", "expected utility per document", "sum_i P(i) g(i) / sum_i P(i)",
               lambda walk: walk.utility / walk.depth),
        Figure("ETU", "expected total utility", "sum_i P(i) g(i)", lambda walk: walk.utility),
        Figure("EC", "expected cost per document", "sum_i P(i) c(i) / sum_i P(i)",
               lambda walk: walk.cost / walk.depth),
        Figure("ETC", "expected total cost", "sum_i P(i) c(i)", lambda walk: walk.cost),
        Figure("ED", "expected depth", "sum_i P(i)", lambda walk: walk.depth),
    )
}  # fmt: skip
