"""User models: declared by the chance C(i) that a user who looked at rank i goes on to the next.

Each declared model gives five figures (EU, ETU, EC, ETC, ED), written FIGURE(model); expected
utility is also a plain measure under the model's own name, unless a measure of that name exists.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np

from pipeline.errors import InputError
from pipeline.gains import PRODUCT, Floats, View
from pipeline.measures.cwl import bounds as ends
from pipeline.measures.cwl import figures, seen
from pipeline.measures.cwl.figures import FIGURES_OF_A_WALK, Walk, reach
from pipeline.measures.cwl.seen import HORIZON, Seen
from pipeline.measures.declaration import (
    NO_PARAMS,
    Bounds,
    Declaration,
    Param,
    Value,
    declare,
)

ENGINE = (*(Path(inspect.getfile(part)) for part in (seen, figures, ends)), Path(__file__))
P_AND_C = "P(i) = prod_(j<i) C(j)"


@dataclass(frozen=True, kw_only=True)
class UserModel:
    """Everything known about a user model but C, and C."""

    name: str
    function: Callable[..., Floats]  # (seen, **params) -> C, [row or 1, rank]
    title: str
    formula: str
    citation: str
    module: Path
    params: Mapping[str, Param]
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


_MODELS: dict[str, UserModel] = {}
_FIGURES: dict[str, dict[str, Declaration]] = {name: {} for name in FIGURES_OF_A_WALK}
MODELS: Mapping[str, UserModel] = MappingProxyType(_MODELS)
FIGURES: Mapping[str, Mapping[str, Declaration]] = MappingProxyType(_FIGURES)


def user_model(
    name: str,
    *,
    title: str,
    formula: str,
    citation: str,
    params: Mapping[str, Param] = NO_PARAMS,
    cutoff: str = "optional",
    gain: str = "gain",
    answers: Callable[..., tuple[Floats, Floats]] | str = "none",
    fills: str = "never",
    paid: bool = False,
    tail: Callable[..., Floats] | None = None,
    bounds: Callable[..., Bounds] | None = None,
    plain: bool = True,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Declare the function below as the C of a user model (see UserModel for the words).

    `plain`: its expected utility is a measure under this name, too.
    """

    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        if name in _MODELS:
            raise ValueError(f"user model {name} is declared twice")
        model = UserModel(
            name=name, function=function, title=title, formula=formula, citation=citation,
            module=Path(inspect.getfile(function)), params=dict(params), cutoff=cutoff, gain=gain,
            answers=answers, fills=fills, paid=paid, tail=tail, bounds=bounds,
        )  # fmt: skip
        _MODELS[name] = model
        for figure in FIGURES_OF_A_WALK:
            _FIGURES[figure][name] = _declaration(model, figure)
        if plain:
            declare(_FIGURES["EU"][name])
        return function

    return register


def _declaration(model: UserModel, figure: str) -> Declaration:
    known = FIGURES_OF_A_WALK[figure]
    of_gain = figure in ("EU", "ETU")
    steady = model.answers == "none" and not model.paid
    highest = 1.0 if figure == "EU" else np.inf
    return Declaration(
        name=model.name,
        function=partial(_value, model, figure),
        title=f"{model.title}: {known.title}",
        formula=f"{known.formula}, {P_AND_C}, C(i) = {model.formula}",
        citation=model.citation,
        module=model.module,
        also=ENGINE,
        params=model.params,
        cutoff=model.cutoff,
        gain=model.gain,
        range=(0.0, highest),
        rises=of_gain and (steady or model.fills == "always"),
        bounds=partial(_bounds, model, figure),
        expected="linear" if of_gain and steady else None,
        costs=True,
    )


def _value(model: UserModel, figure: str, view: View, **params: Value) -> Floats:
    return FIGURES_OF_A_WALK[figure].read(model.walk(model.seen(view), params))


def _bounds(model: UserModel, figure: str, view: View, **params: Value) -> Bounds:
    if model.bounds is not None:
        return model.bounds(view, figure, **params)
    return ends.bounds(model, figure, view, params)
