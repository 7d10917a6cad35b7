"""Declaring user models: one function, the chance C(i) that a user at rank i goes on to the next.

Each declared model gives five figures (EU, ETU, EC, ETC, ED), written FIGURE(model); expected
utility is also a plain measure under the model's own name, unless a measure of that name exists.

The bounds of a figure hold whatever the unjudged documents are worth. A user who reacts to what is
found makes this harder than filling in the worst and best gains: a better document may end the walk
before the good ones. Where filling is proven to bound, it is used. Elsewhere C(i) is free: at every
rank it may take any value between its lowest and its highest over all possible gains, whichever
suits the bound; the true value is one of these choices.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.gains import View
from pipeline.measures.cwl.walk import HORIZON, WALK_FIGURES, Ranks, Walk, has_binary_gains
from pipeline.measures.declaration import REGISTRY, Bounds, Declaration, Param, Value
from pipeline.registry import Registry
from pipeline.storage.arrays import Floats

TINY = 1e-14
ROUNDS = 100  # Dinkelbach's iteration takes three or four


@dataclass(frozen=True)
class CWLModel:
    """Everything known about a user model; on top of a function, declares it as the model's C."""

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
    function: Callable[..., Floats] = NotImplemented  # (seen, **params) -> C, [row or 1, rank]
    module: str = ""  # where that is

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        """Declare the function below: `@user_model("RBP", title=..., ...)`."""
        model = replace(self, function=function, module=function.__module__)
        MODELS.add(model.name, model)
        declarations = {
            name: registry.add(self.name, model.measure(name)) for name, registry in FIGURES.items()
        }
        if self.plain:
            REGISTRY.add(self.name, declarations["EU"])
        return function

    def measure(self, figure: str) -> Declaration:
        """One of its figures as a measure."""
        definition = WALK_FIGURES[figure]
        is_utility = figure in ("EU", "ETU")
        fixed = self.answers == "none" and not self.paid
        return Declaration(
            name=self.name,
            function=lambda view, **params: definition.read(self.walk(self.ranks(view), params)),
            title=f"{self.title}: {definition.title}",
            formula=f"{definition.formula}, P(i) = prod_(j<i) C(j), C(i) = {self.formula}",
            citation=self.citation,
            module=self.module,
            params=self.params,
            cutoff=self.cutoff,
            gain=self.gain,
            range=(0.0, 1.0 if figure == "EU" else np.inf),
            rises=is_utility and (fixed or self.fills == "always"),
            bounds=partial(bounds, self, figure),
            endless=True,
            expected="linear" if is_utility and fixed else None,
            contributions=partial(self._parts, figure) if is_utility and not fixed else None,
            costs=True,
        )

    def _parts(self, figure: str, view: View, **params: Value) -> Floats:
        """P(i) g(i) at every rank, for EU over the sum of P."""
        walk = self.walk(self.ranks(view), params)
        return np.asarray((walk.weights if figure == "EU" else walk.reach) * walk.ranks.gain)

    def ranks(self, view: View) -> Ranks:
        """What this user meets, as deep as it must be looked at."""
        if view.best > 1 + 1e-9:
            what = f"needs gains from 0 to 1, here they go to {view.best:g}"
            raise InputError(Problem(f"measure '{self.name}'", what, "map labels to such gains"))
        if view.cut is not None:
            return Ranks(view, view.cut)
        return Ranks(view, HORIZON if self.tail is None else max(view.depth, 1))

    def continuation(self, ranks: Ranks, params: Mapping[str, Value]) -> Floats:
        """C at every rank."""
        continuation_ = np.atleast_2d(self.function(ranks, **params))
        return np.asarray(np.broadcast_to(continuation_, (len(continuation_), ranks.depth)))

    def walk(
        self, ranks: Ranks, params: Mapping[str, Value], continuation: Floats | None = None
    ) -> Walk:
        """The way of this user down all rankings (of one with another C, where it is given)."""
        c = self.continuation(ranks, params) if continuation is None else continuation
        shares = np.ones_like(c)  # P(i), the share of users who look at rank i
        np.cumprod(c[:, :-1], axis=1, out=shares[:, 1:])
        if self.tail is None or ranks.view.cut is not None:
            return Walk(ranks, shares, np.zeros(len(c)))
        return Walk(ranks, shares, self.tail(ranks, shares[:, -1] * c[:, -1], **params))


user_model = CWLModel
MODELS: Registry[CWLModel] = Registry("user model", "pipeline.measures.cwl.models")
FIGURES: dict[str, Registry[Declaration]] = {
    name: Registry(f"user model of {name}", "pipeline.measures.cwl.models") for name in WALK_FIGURES
}


def bounds(model: CWLModel, figure: str, view: View, **params: Value) -> Bounds:
    """Lower and upper end of a figure of a user model."""
    if model.bounds is not None:
        return model.bounds(view, figure, **params)
    upper = view.under("upper").at(view.cut)
    low, high = model.ranks(view), model.ranks(upper)
    read = WALK_FIGURES[figure].read
    fillable = model.fills == "always" or (model.fills == "binary" and has_binary_gains(view))
    if model.answers == "none" or (fillable and figure in ("EU", "ETU")):
        return read(model.walk(low, params)), read(model.walk(high, params))
    if figure == "EC" and view.gains.cost is None:
        constant = np.full(len(view.topic), low.usual_cost)
        return constant, constant
    if callable(model.answers):
        lowest, highest = model.answers(low, high, **params)
    else:
        lowest, highest = (model.continuation(ranks, params) for ranks in (low, high))
        lowest, highest = (lowest, highest) if model.answers == "rises" else (highest, lowest)
    if figure in ("ED", "ETC", "ETU"):  # all rise with every C
        # The tail follows the gains that make C least or most.
        low_tail, high_tail = (low, high) if model.answers == "rises" else (high, low)
        shortest, longest = (
            model.walk(low_tail, params, lowest),
            model.walk(high_tail, params, highest),
        )
        if figure != "ETU":
            return read(shortest), read(longest)
        return replace(shortest, ranks=low).utility, replace(longest, ranks=high).utility
    ends = (low.gain, high.gain) if figure == "EU" else (low.cost, low.cost)
    tails = _tails(model, low, high, params)
    outside = (low.beyond, high.beyond) if figure == "EU" else (low.usual_cost,) * 2
    return (
        ratio(ends[0], lowest, highest, tails, outside[0], maximise=False),
        ratio(ends[1], lowest, highest, tails, outside[1], maximise=True),
    )


def _tails(
    model: CWLModel, low: Ranks, high: Ranks, params: Mapping[str, Value]
) -> tuple[Floats, Floats]:
    """Documents looked at behind the last rank by one who goes on there: least and most."""
    rows = len(low.view.topic)
    if model.tail is None or low.view.cut is not None:
        return np.zeros(rows), np.zeros(rows)
    first, second = (model.tail(ranks, np.ones(rows), **params) for ranks in (low, high))
    return np.minimum(first, second), np.maximum(first, second)


def ratio(
    worth: Floats,
    lowest: Floats,
    highest: Floats,
    tails: tuple[Floats, Floats],
    outside: float,
    *,
    maximise: bool,
) -> Floats:
    """The extreme of sum P(i) worth(i) / sum P(i) over every C between `least` and `most`.

    Dinkelbach: for a ratio r the best C maximises sum P(i) (worth(i) - r), which is decided from
    the last rank up (going on is good where what follows is worth more than r); the ratio it
    reaches is the next r, until it stays.
    """
    sign = 1.0 if maximise else -1.0
    rows, depth = max(len(worth), len(lowest), len(highest)), worth.shape[1]
    columns = [np.ascontiguousarray(np.broadcast_to(a, (rows, depth)).T)
               for a in (worth, lowest, highest)]  # fmt: skip
    # From a ratio no choice of C can miss, or a row could stop before it has begun.
    current = np.full(rows, 0.0 if maximise else max(float(worth.max(initial=0.0)), outside))
    for _ in range(ROUNDS):
        tail = np.where(sign * (outside - current) > 0, tails[1], tails[0])
        total, count = outside * tail, tail
        for value, low, high in zip(*(column[::-1] for column in columns), strict=True):
            c = np.where(sign * (total - current * count) > 0, high, low)
            total, count = value + c * total, 1 + c * count
        next_ = total / count
        if not (sign * (next_ - current) > TINY * np.maximum(1, current)).any():
            return np.asarray(next_)
        current = next_
    return current
