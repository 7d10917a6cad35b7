"""What a user model is: declared by the chance C(i) that a user at rank i goes on to the next."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.dimension import PRODUCT
from pipeline.gains.gains import View
from pipeline.measures.cwl.figures import Walk, reach
from pipeline.measures.cwl.seen import HORIZON, Seen
from pipeline.measures.declaration import Bounds, Param, Value
from pipeline.storage.arrays import Floats


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
            raise InputError(f"{self.name} needs gains from 0 to 1, here they go to {view.best:g}")
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
        none = np.zeros(len(chance))
        if self.tail is None or met.view.cut is not None:
            return Walk(met, shares, none)
        return Walk(met, shares, self.tail(met, shares[:, -1] * chance[:, -1], **params))

    def filled(self, view: View) -> bool:
        """Whether filling the unjudged with worst and best gains bounds EU and ETU."""
        if self.answers == "none" or self.fills == "always":
            return True
        return self.fills == "binary" and two_valued(view)


def two_valued(view: View) -> bool:
    """Whether every gain is 0 or 1."""
    two = all(how == "binary" or how.startswith("rel=") for how in view.wanted.values())
    return two and view.mix is PRODUCT
