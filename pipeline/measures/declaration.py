"""How a measure is declared: one function of a View, with all that is known about it on top.

The declaration lives with the body, so there is no second list to edit: a new measure is a new
module here with one decorated function.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains import View

Floats = NDArray[np.float64]
Bounds = tuple[Floats, Floats]


@dataclass(frozen=True)
class Param:
    """A measure's parameter: a number with bounds, or one of several words."""

    default: float | int | str | None  # None: must be given
    low: float = -np.inf
    high: float = np.inf
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    choices: tuple[str, ...] = ()
    meaning: str = ""

    def describe(self) -> str:
        """The allowed values, as a user reads them."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if self.whole else "a number"
        if np.isinf(self.low) and np.isinf(self.high):
            return kind
        left = ("above " if self.open_low else "from ") + f"{self.low:g}"
        if np.isinf(self.high):
            return f"{kind} {left}" + ("" if self.open_low else " up")
        return f"{kind} {left} " + ("and below " if self.open_high else "to ") + f"{self.high:g}"

    def allows(self, value: object) -> bool:
        """Whether a value may be given."""
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.whole and not isinstance(value, int):
            return False
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below


@dataclass(frozen=True)
class Declaration:
    """Everything known about a measure but the arithmetic, and the arithmetic."""

    name: str
    function: Callable[..., Floats]
    title: str
    formula: str
    citation: str
    params: Mapping[str, Param]
    cutoff: str  # "none", "optional" or "required": whether @k may follow
    gain: str  # which reading of the labels it takes: "binary" or "gain"
    unretrieved: float  # what a topic without any retrieved document scores
    bounds: Callable[..., Bounds] | None  # tighter than filling unjudged with worst and best
    module: Path


_REGISTRY: dict[str, Declaration] = {}
REGISTRY: Mapping[str, Declaration] = MappingProxyType(_REGISTRY)


def measure(
    name: str,
    *,
    title: str,
    formula: str,
    citation: str,
    params: Mapping[str, Param] = MappingProxyType({}),
    cutoff: str = "none",
    gain: str = "binary",
    unretrieved: float = 0.0,
    bounds: Callable[..., Bounds] | None = None,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Declare the function below as the measure `name`."""

    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        if name in _REGISTRY:
            raise ValueError(f"measure {name} is declared twice")
        _REGISTRY[name] = Declaration(
            name, function, title, formula, citation, dict(params), cutoff, gain, unretrieved,
            bounds, Path(inspect.getfile(function)),
        )  # fmt: skip
        return function

    return register


@dataclass(frozen=True)
class Combination:
    """A way to make one score of a base measure over several dimensions."""

    name: str
    function: Callable[..., Floats]  # ([dimension, row] scores, weights) -> [row]
    title: str
    formula: str
    citation: str
    module: Path


_COMBINATIONS: dict[str, Combination] = {}
COMBINATIONS: Mapping[str, Combination] = MappingProxyType(_COMBINATIONS)


def combination(
    name: str, *, title: str, formula: str, citation: str
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Declare the function below as a combination: scores per dimension and weights -> score."""

    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        _COMBINATIONS[name] = Combination(
            name, function, title, formula, citation, Path(inspect.getfile(function))
        )
        return function

    return register


def evaluate(
    declaration: Declaration, view: View, cutoff: int | None, params: Mapping[str, Any]
) -> Floats:
    """Run a measure's function on a view; topics without any retrieved document get their due."""
    values = declaration.function(view.at(cutoff), **params)
    return np.where(view.length == 0, declaration.unretrieved, values)
