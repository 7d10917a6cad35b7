"""Declaring user models: one function, the chance C(i) that a user at rank i goes on to the next.

Each declared model gives five figures (EU, ETU, EC, ETC, ED), written FIGURE(model); expected
utility is also a plain measure under the model's own name, unless a measure of that name exists.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.cwl.bounds import bounds
from pipeline.measures.cwl.model import FIGURES_OF_A_WALK, UserModel, Words
from pipeline.measures.declaration import Declaration, Value, declare, stated
from pipeline.registry import Registry
from pipeline.storage.arrays import Floats

P_AND_C = "P(i) = prod_(j<i) C(j)"
MODELS: Registry[UserModel] = Registry("user model", "pipeline.measures.cwl.models")
FIGURES: dict[str, Registry[Declaration]] = {
    name: Registry(f"user model of {name}", "pipeline.measures.cwl.models")
    for name in FIGURES_OF_A_WALK
}


@dataclass(frozen=True)
class user_model(Words):
    """On top of a function: declares it as the C of a user model (see Words)."""

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        """Make the model known, with its figures."""
        model = UserModel(**stated(self), function=function, module=function.__module__)
        MODELS.add(model.name, model)
        made = {figure: _declaration(model, figure) for figure in FIGURES}
        for figure, declaration in made.items():
            FIGURES[figure].add(model.name, declaration)
        if model.plain:
            declare(made["EU"])
        return function


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
        params=model.params,
        cutoff=model.cutoff,
        gain=model.gain,
        range=(0.0, highest),
        rises=of_gain and (steady or model.fills == "always"),
        bounds=partial(bounds, model, figure),
        endless=True,
        expected="linear" if of_gain and steady else None,
        contributions=partial(_parts, model, figure) if of_gain and not steady else None,
        costs=True,
    )


def _value(model: UserModel, figure: str, view: View, **params: Value) -> Floats:
    return FIGURES_OF_A_WALK[figure].read(model.walk(model.seen(view), params))


def _parts(model: UserModel, figure: str, view: View, **params: Value) -> Floats:
    """P(i) g(i) at every rank, for EU over the sum of P."""
    walk = model.walk(model.seen(view), params)
    share = walk.weights if figure == "EU" else walk.reach
    return np.asarray(share * walk.seen.gain)
