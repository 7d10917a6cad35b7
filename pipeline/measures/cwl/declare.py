"""Declare user models: one function, the continuation probability C(i) of a user at rank i.

Each model has five figures (EU, ETU, EC, ETC, ED), written FIGURE(model). Expected utility is also
a measure with the model's name, unless a measure of that name exists.

The bounds of a figure hold for all possible gains of unjudged documents. If C depends on gains, it
is not enough to fill in the worst and best gains: a better document may end the walk before other
good ones. Filling is used where it is proven to bound. Elsewhere C(i) may take, at each rank, any
value between its lowest and highest over all possible gains; the true value is one of these.
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
ROUNDS = 100  # Dinkelbach's iteration needs three or four


@dataclass(frozen=True)
class CWLModel:
    """The declaration of a user model; as a decorator it declares the function C(i)."""

    name: str
    _: KW_ONLY
    title: str
    formula: str
    citation: str
    params: Mapping[str, Param] = field(default_factory=dict)
    cutoff: str = "optional"  # @k: the user stops at rank k at the latest
    gain: str = "gain"  # the reading of the labels
    # How C changes with more gain: "none", "falls", "rises", or a function of the lowest and
    # highest possible gains, (low, high, **params) -> (lowest C, highest C).
    answers: Callable[..., tuple[Floats, Floats]] | str = "none"
    fills: str = "never"  # filling unjudged ranks bounds EU, ETU: "always", "binary" gains, "never"
    paid: bool = False  # whether C depends on costs
    # (ranks, share of users who continue past the last rank, **params) -> sum of P(i) over all
    # ranks past it; None: the user stops at rank 1000 at the latest.
    tail: Callable[..., Floats] | None = None
    bounds: Callable[..., Bounds] | None = None  # own bounds: (view, figure, **params)
    plain: bool = True  # whether its expected utility is also a measure of this name
    function: Callable[..., Floats] = NotImplemented  # (ranks, **params) -> C, [row or 1, rank]
    module: str = ""  # the function's module

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        model = replace(self, function=function, module=function.__module__)
        MODELS.add(model.name, model)
        for name, registry in FIGURES.items():
            declaration = registry.add(self.name, model.measure(name))
            if self.plain and name == "EU":
                REGISTRY.add(self.name, declaration)
        return function

    def measure(self, figure: str) -> Declaration:
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
        """P(i) g(i) at every rank; for EU, W(i) g(i)."""
        walk = self.walk(self.ranks(view), params)
        return np.asarray((walk.weights if figure == "EU" else walk.reach) * walk.ranks.gain)

    def ranks(self, view: View) -> Ranks:
        if view.best > 1 + 1e-9:
            what = f"needs gains from 0 to 1, but the highest gain is {view.best:g}"
            fix = 'declare the user model with a reading such as gain="gain"'
            raise InputError(Problem(f"measure '{self.name}'", what, fix))
        if view.cut is not None:
            return Ranks(view, view.cut)
        return Ranks(view, HORIZON if self.tail is None else max(view.depth, 1))

    def continuation(self, ranks: Ranks, params: Mapping[str, Value]) -> Floats:
        """C at every rank."""
        c = np.atleast_2d(self.function(ranks, **params))
        return np.asarray(np.broadcast_to(c, (len(c), ranks.depth)))

    def walk(self, ranks: Ranks, params: Mapping[str, Value], c: Floats | None = None) -> Walk:
        """The user's walk down all rankings, with the model's C or another one."""
        c = self.continuation(ranks, params) if c is None else c
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
    """Lower and upper bound of a figure of a user model."""
    if model.bounds is not None:
        return model.bounds(view, figure, **params)
    low, high = model.ranks(view), model.ranks(view.under("upper").at(view.cut))
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
    if figure in ("ED", "ETC", "ETU"):  # they rise with C at every rank
        # The tail uses the gains for which C is lowest or highest.
        ends = (low, high) if model.answers == "rises" else (high, low)
        shortest = model.walk(ends[0], params, lowest)
        longest = model.walk(ends[1], params, highest)
        if figure != "ETU":
            return read(shortest), read(longest)
        return replace(shortest, ranks=low).utility, replace(longest, ranks=high).utility
    worth = (low.gain, high.gain) if figure == "EU" else (low.cost, low.cost)
    tails = _tails(model, low, high, params)
    outside = (low.beyond, high.beyond) if figure == "EU" else (low.usual_cost,) * 2
    lower = ratio(worth[0], lowest, highest, tails, outside[0], sign=-1)
    return lower, ratio(worth[1], lowest, highest, tails, outside[1], sign=1)


def _tails(model: CWLModel, low: Ranks, high: Ranks, params: Mapping[str, Value]) -> Bounds:
    """Lowest and highest number of documents read by a user who continues past the last rank."""
    rows = len(low.view.topic)
    if model.tail is None or low.view.cut is not None:
        return np.zeros(rows), np.zeros(rows)
    first, second = (model.tail(ranks, np.ones(rows), **params) for ranks in (low, high))
    return np.minimum(first, second), np.maximum(first, second)


def ratio(
    worth: Floats, lowest: Floats, highest: Floats, tails: Bounds, outside: float, *, sign: int
) -> Floats:
    """The maximum (sign 1) or minimum (-1) of sum P(i) worth(i) / sum P(i) over all possible C.

    C(i) is between `lowest` and `highest`. Dinkelbach's method: for a ratio r the best C maximises
    sum P(i) (worth(i) - r). It is decided from the last rank up: continuing is good if the
    following ranks are worth more than r. The resulting ratio is the next r, until it is stable.
    """
    rows, depth = max(len(worth), len(lowest), len(highest)), worth.shape[1]
    columns = [np.ascontiguousarray(np.broadcast_to(a, (rows, depth)).T)
               for a in (worth, lowest, highest)]  # fmt: skip
    # Start at a ratio that every C improves on, or a row could stop at once.
    current = np.full(rows, 0.0 if sign > 0 else max(float(worth.max(initial=0.0)), outside))
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
