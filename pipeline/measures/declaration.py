"""How a measure is declared: one function of a View, with all that is known about it on top.

The declaration lives with the body, so there is no second list to edit: a new measure is a new
module here with one decorated function.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pipeline.gains import View

Floats = NDArray[np.float64]
Bounds = tuple[Floats, Floats]
Value = float | int | str

NO_PARAMS: Mapping[str, "Param"] = MappingProxyType({})


@dataclass(frozen=True)
class Param:
    """A measure's parameter: a number with bounds, or one of several words."""

    default: Value | None  # None: must be given
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


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Everything known about a measure but the arithmetic, and the arithmetic."""

    name: str
    function: Callable[..., Floats]  # (view, **params) -> [row]
    title: str
    formula: str
    citation: str
    module: Path
    params: Mapping[str, Param]
    cutoff: str = "none"  # "none", "optional" or "required": whether @k may follow
    gain: str = "binary"  # which reading of the labels it takes (see Dimension.read)
    unretrieved: float = 0.0  # what a topic without any retrieved document scores
    range: tuple[float, float] = (0.0, 1.0)
    rises: bool = True  # more gain anywhere, or the same gain earlier, never lowers it
    aggregate: str = "mean"  # over topics: "mean", "geometric" or "sum"
    scores: bool = False  # whether it needs the systems' own scores
    # Tighter or truer than filling the unjudged with worst and best (see View.scenario):
    bounds: Callable[..., Bounds] | None = None
    # Under tied scores: "linear" in the gains, a function of its own, or None = by sampling.
    expected: Callable[..., Floats] | str | None = None


_REGISTRY: dict[str, Declaration] = {}
REGISTRY: Mapping[str, Declaration] = MappingProxyType(_REGISTRY)


def measure(
    name: str,
    *,
    title: str,
    formula: str,
    citation: str,
    params: Mapping[str, Param] = NO_PARAMS,
    cutoff: str = "none",
    gain: str = "binary",
    unretrieved: float = 0.0,
    range: tuple[float, float] = (0.0, 1.0),
    rises: bool = True,
    aggregate: str = "mean",
    scores: bool = False,
    bounds: Callable[..., Bounds] | None = None,
    expected: Callable[..., Floats] | str | None = None,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Declare the function below as the measure `name` (see Declaration for the words)."""

    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        if name in _REGISTRY or name in _COMBINATIONS:
            raise ValueError(f"measure {name} is declared twice")
        _REGISTRY[name] = Declaration(
            name=name, function=function, title=title, formula=formula, citation=citation,
            module=Path(inspect.getfile(function)), params=dict(params), cutoff=cutoff, gain=gain,
            unretrieved=unretrieved, range=range, rises=rises, aggregate=aggregate, scores=scores,
            bounds=bounds, expected=expected,
        )  # fmt: skip
        return function

    return register


@dataclass(frozen=True, kw_only=True)
class Combination:
    """A way to make one score of a base measure over several dimensions.

    Of "scores": ([dimension, row] scores, weights) -> [row], for the base measure over each
    dimension. Of "gains": ([gain of each dimension], weights) -> gain, for each document, over
    which the base measure is then taken.
    """

    name: str
    of: str
    function: Callable[..., Floats]
    title: str
    formula: str
    citation: str
    module: Path
    means: bool = False  # of scores only: combine the means over topics, not each topic
    falling: str = "none"  # of gains only: "others" if more in all but the first is worse


_COMBINATIONS: dict[str, Combination] = {}
COMBINATIONS: Mapping[str, Combination] = MappingProxyType(_COMBINATIONS)


def combination(
    name: str,
    *,
    of: str,
    title: str,
    formula: str,
    citation: str,
    means: bool = False,
    falling: str = "none",
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Declare the function below as a combination (see Combination for the words)."""

    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        if name in _REGISTRY or name in _COMBINATIONS:
            raise ValueError(f"combination {name} is declared twice")
        _COMBINATIONS[name] = Combination(
            name=name, of=of, function=function, title=title, formula=formula, citation=citation,
            module=Path(inspect.getfile(function)), means=means, falling=falling,
        )  # fmt: skip
        return function

    return register


def evaluate(
    declaration: Declaration, view: View, cutoff: int | None, params: Mapping[str, Value]
) -> Floats:
    """Run a measure's function on a view; topics without any retrieved document get their due."""
    values = declaration.function(view.at(cutoff), **params)
    return np.where(view.length == 0, declaration.unretrieved, values)
