"""What a user model is: declared by the chance C(i) that a user at rank i goes on to the next.

P(i) = prod_(j<i) C(j) is the share of users that reach rank i. All five figures follow from three
sums over it:

    ED  = sum P(i)           expected depth, since sum i L(i) = sum P(i)
    ETU = sum P(i) g(i)      expected total utility, since sum L(i) (g(1) + ... + g(i)) is that
    ETC = sum P(i) c(i)      expected total cost
    EU = ETU / ED,  EC = ETC / ED    per document, since W(i) = P(i) / sum P

L(i) = P(i) (1 - C(i)) is the share that leaves at rank i.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.dimension import PRODUCT
from pipeline.gains.gains import View
from pipeline.measures.cwl.seen import HORIZON, Seen
from pipeline.measures.declaration import Bounds, Param, Value
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
        found = self.reach.sum(axis=1) + self.tail
        return np.broadcast_to(found, len(self.seen.view.topic)).copy()

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


class Figure(NamedTuple):
    """One of the five: how it is read off a walk."""

    title: str
    formula: str
    read: Callable[[Walk], Floats]


FIGURES_OF_A_WALK: Mapping[str, Figure] = {
    "EU": Figure("expected utility per document", "sum_i P(i) g(i) / sum_i P(i)",
                 lambda walk: walk.utility / walk.depth),
    "ETU": Figure("expected total utility", "sum_i P(i) g(i)", lambda walk: walk.utility),
    "EC": Figure("expected cost per document", "sum_i P(i) c(i) / sum_i P(i)",
                 lambda walk: walk.cost / walk.depth),
    "ETC": Figure("expected total cost", "sum_i P(i) c(i)", lambda walk: walk.cost),
    "ED": Figure("expected depth", "sum_i P(i)", lambda walk: walk.depth),
}  # fmt: skip


@dataclass(frozen=True)
class Words:
    """Everything known about a user model but C."""

    name: str
    _: KW_ONLY
    title: str
    formula: str
    citation: str
    params: Mapping[str, Param] = field(default_factory=dict)
    cutoff: str = "optional"  # @k: the user leaves at rank k at the latest
    gain: str = "gain"  # the reading of the labels
    # How C answers to more gain: "none", "falls", "rises", or a function of the lowest and highest
    # gains that could be, (low, high, **params) -> (lowest C, highest C).
    answers: Callable[..., tuple[Floats, Floats]] | str = "none"
    fills: str = "never"  # filling unjudged ranks bounds EU, ETU: "always", "binary" gains, "never"
    paid: bool = False  # whether C depends on costs
    # (seen, share that goes on behind the last rank, **params) -> sum of P(i) over all ranks
    # behind; None: the user leaves at rank 1000 at the latest.
    tail: Callable[..., Floats] | None = None
    bounds: Callable[..., Bounds] | None = None  # own: (view, figure, **params)

    plain: bool = True  # whether its expected utility is a measure under this name, too


@dataclass(frozen=True)
class UserModel(Words):
    """A user model with its C, and the module that is in."""

    _: KW_ONLY
    function: Callable[..., Floats]  # (seen, **params) -> C, [row or 1, rank]
    module: str

    def seen(self, view: View) -> Seen:
        """What this user meets, as deep as it must be looked at."""
        if view.best > 1 + 1e-9:
            what = f"needs gains from 0 to 1, here they go to {view.best:g}"
            raise InputError(Problem(f"measure '{self.name}'", what, "map labels to such gains"))
        if view.cut is not None:
            return Seen(view, view.cut)
        return Seen(view, HORIZON if self.tail is None else max(view.depth, 1))

    def go_on(self, met: Seen, params: Mapping[str, Value]) -> Floats:
        """C at every rank."""
        chance = np.atleast_2d(self.function(met, **params))
        return np.asarray(np.broadcast_to(chance, (len(chance), met.depth)))

    def walk(self, met: Seen, params: Mapping[str, Value], go_on: Floats | None = None) -> Walk:
        """The way of this user down all rankings (of one with another C, where it is given)."""
        chance = self.go_on(met, params) if go_on is None else go_on
        shares = reach(chance)
        if self.tail is None or met.view.cut is not None:
            return Walk(met, shares, np.zeros(len(chance)))
        return Walk(met, shares, self.tail(met, shares[:, -1] * chance[:, -1], **params))


def two_valued(view: View) -> bool:
    """Whether every gain is 0 or 1."""
    two = all(how == "binary" or how.startswith("rel=") for how in view.wanted.values())
    return two and view.mix is PRODUCT
