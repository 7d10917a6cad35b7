"""Measures as people write them: `nDCG@10`, `uRBP(p=0.8)`, `H(RBP(p=0.8), topicality=1, ...)`.

A measure string is a Python expression of names, numbers, calls and `@`; it is parsed with `ast`
and never executed. Canonical names parse back to themselves.
"""

import ast
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.gains import Gains, View
from pipeline.measures.declaration import (
    COMBINATIONS,
    REGISTRY,
    Combination,
    Declaration,
    Floats,
    Param,
    evaluate,
)


@dataclass(frozen=True)
class Scores:
    """What a measure says of every row (run x topic): value, and bounds for the unjudged."""

    value: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class Single:
    """A declared measure over one dimension, or over the product of several (UBIRE)."""

    declaration: Declaration
    name: str
    wanted: Mapping[str, str]  # dimension -> how its labels are read
    cutoff: int | None
    params: Mapping[str, Any]

    @property
    def slug(self) -> str:
        """The name as a file name."""
        return slug(self.name)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions it needs."""
        return tuple(self.wanted)

    @property
    def modules(self) -> tuple[Path, ...]:
        """The files its arithmetic is in."""
        return (self.declaration.module,)

    @property
    def formula(self) -> str:
        """Its definition, and what g is when it is a product of dimensions."""
        formula = self.declaration.formula
        if len(self.wanted) == 1:
            return formula
        return f"{formula}, g = {' * '.join(f'{d} ({kind})' for d, kind in self.wanted.items())}"

    @property
    def citation(self) -> str:
        """Where it comes from."""
        ubire = "; gain product: Zuccon, ECIR 2016" if len(self.wanted) > 1 else ""
        return self.declaration.citation + ubire

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        """Its value for every row under one scenario."""
        view = gains.view(self.wanted, scenario=scenario)
        return evaluate(self.declaration, view, self.cutoff, self.params)

    def scores(self, gains: Gains) -> Scores:
        """Its value and bounds for every row."""
        value = self.value(gains)
        if self.declaration.bounds is not None:
            view = gains.view(self.wanted).at(self.cutoff)
            empty = view.length == 0
            ends = self.declaration.bounds(view, **self.params)
            lower, upper = (np.where(empty, self.declaration.unretrieved, e) for e in ends)
        else:
            lower = self.value(gains, scenario="lower")
            upper = self.value(gains, scenario="upper")
        return Scores(value, lower, upper)


@dataclass(frozen=True)
class Combined:
    """A base measure over each dimension, combined into one score a topic."""

    combination: Combination
    name: str
    parts: tuple[Single, ...]
    weights: tuple[float, ...]

    @property
    def slug(self) -> str:
        """The name as a file name."""
        return slug(self.name)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions it needs."""
        return tuple(dict.fromkeys(d for part in self.parts for d in part.dimensions))

    @property
    def modules(self) -> tuple[Path, ...]:
        """The files its arithmetic is in."""
        return (self.combination.module, *self.parts[0].modules)

    @property
    def formula(self) -> str:
        """Its definition, with that of the base measure."""
        return f"{self.combination.formula}; M = {self.parts[0].formula}"

    @property
    def citation(self) -> str:
        """Where it and its base measure come from."""
        return f"{self.combination.citation}; {self.parts[0].citation}"

    def scores(self, gains: Gains) -> Scores:
        """Its value and bounds: it rises with each part, so the parts' bounds bound it."""
        parts = [part.scores(gains) for part in self.parts]
        weights = np.array(self.weights)
        return Scores(
            *(
                self.combination.function(np.array([getattr(p, end) for p in parts]), weights)
                for end in ("value", "lower", "upper")
            )
        )


Measure = Single | Combined


def slug(name: str) -> str:
    """A measure's name as a file name: letters, digits and . @ = + - stay."""
    return re.sub(r"[^A-Za-z0-9.@=+-]+", "_", name).strip("_")


def parse(text: str, *, dimensions: Sequence[str]) -> Measure:
    """Read a measure; `dimensions` are those of the campaign, the first being topicality."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise InputError(
            f"'{text}' is not a measure; write it like nDCG@10, RBP(p=0.8) or "
            "H(RBP(p=0.8), topicality=1, understandability=1)"
        ) from None
    return _Parser(text, tuple(dimensions)).measure(tree)


class _Parser:
    def __init__(self, text: str, dimensions: tuple[str, ...]) -> None:
        self.text, self.known = text, dimensions

    def refuse(self, problem: str) -> InputError:
        return InputError(f"measure '{self.text}': {problem}")

    def measure(self, tree: ast.expr) -> Measure:
        cutoff: int | None = None
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            found = self.value(tree.right)
            if not isinstance(found, int) or isinstance(found, bool) or found < 1:
                raise self.refuse(f"the cutoff @{found} must be a whole number from 1 up")
            cutoff, tree = found, tree.left
        name, positional, named = self.call(tree)
        if name in COMBINATIONS:
            if cutoff is not None:
                raise self.refuse(f"give the cutoff to the base measure of {name}, not to {name}")
            return self.combined(COMBINATIONS[name], positional, named)
        if positional:
            raise self.refuse(f"{name} takes named parameters only, such as p=0.8")
        return self.single(name, cutoff, {k: self.value(v) for k, v in named.items()})

    def call(self, tree: ast.expr) -> tuple[str, list[ast.expr], dict[str, ast.expr]]:
        if isinstance(tree, ast.Name):
            return tree.id, [], {}
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            if any(keyword.arg is None for keyword in tree.keywords):
                raise self.refuse("** is not understood here")
            named: dict[str, ast.expr] = {}
            for keyword in tree.keywords:
                assert keyword.arg is not None
                if keyword.arg in named:
                    raise self.refuse(f"'{keyword.arg}' is given twice")
                named[keyword.arg] = keyword.value
            return tree.func.id, tree.args, named
        raise self.refuse("not understood; write it like nDCG@10 or RBP(p=0.8)")

    def value(self, tree: ast.expr) -> Any:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float | str):
            return tree.value
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            inner = self.value(tree.operand)
            if isinstance(inner, int | float):
                return -inner
        if isinstance(tree, ast.Name):
            return tree.id
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
            return f"{self.value(tree.left)}+{self.value(tree.right)}"
        raise self.refuse(f"'{ast.unparse(tree)}' is not a value; give a number or a name")

    def single(self, name: str, cutoff: int | None, given: Mapping[str, Any]) -> Single:
        declaration, product, graded = self.find(name)
        if declaration.cutoff == "required" and cutoff is None:
            raise self.refuse(f"{name} needs a cutoff, such as {name}@10")
        if declaration.cutoff == "none" and cutoff is not None:
            raise self.refuse(f"{name} takes no cutoff; leave out @{cutoff}")
        wanted, places = self.places(declaration, product, graded, given)
        place = "by" if product else "on"
        own = {k: v for k, v in given.items() if k != place}
        params = self.params(name, declaration.params, own, extra=(place,))
        shown = [f"{key}={_show(value)}" for key, value in params.items()] + places
        full = name + (f"({', '.join(shown)})" if shown else "")
        full += "" if cutoff is None else f"@{cutoff}"
        return Single(declaration, full, wanted, cutoff, params)

    def find(self, name: str) -> tuple[Declaration, bool, bool]:
        """The declaration a name means; u...: over a product, u...gr: with graded further gains."""
        if name in REGISTRY:
            return REGISTRY[name], False, False
        for suffix in ("gr", ""):
            base = name.removeprefix("u").removesuffix(suffix)
            if name == f"u{base}{suffix}" and base in REGISTRY:
                return REGISTRY[base], True, bool(suffix)
        choices = [*REGISTRY, *COMBINATIONS, *(f"u{m}{s}" for m in REGISTRY for s in ("", "gr"))]
        raise self.refuse(f"no measure is called '{name}'{_nearest(name, choices)}")

    def places(
        self, declaration: Declaration, product: bool, graded: bool, given: Mapping[str, Any]
    ) -> tuple[dict[str, str], list[str]]:
        """Which dimensions are read, and how; and what of it belongs in the name."""
        first = self.known[0]
        if not product:
            place = self.dimension(given.get("on", first))
            return {place: declaration.gain}, [] if place == first else [f"on={place}"]
        by = str(given.get("by", "understandability")).split("+")
        others = [self.dimension(name) for name in by]
        if first in others or len(set(others)) < len(others):
            raise self.refuse(f"by={'+'.join(by)} must name further dimensions, each once")
        kind = "gain" if graded else "binary"
        wanted = {first: declaration.gain, **dict.fromkeys(others, kind)}
        return wanted, [] if others == ["understandability"] else [f"by={'+'.join(others)}"]

    def dimension(self, name: object) -> str:
        if name not in self.known:
            raise self.refuse(
                f"the campaign has no dimension '{name}'{_nearest(str(name), self.known)}"
            )
        return str(name)

    def params(
        self,
        name: str,
        declared: Mapping[str, Param],
        given: Mapping[str, Any],
        extra: tuple[str, ...],
    ) -> dict[str, Any]:
        for key in given:
            if key not in declared:
                hint = _nearest(key, [*declared, *extra])
                raise self.refuse(f"{name} has no parameter '{key}'{hint}")
        params: dict[str, Any] = {}
        for key, param in declared.items():
            value = given.get(key, param.default)
            if value is None:
                raise self.refuse(f"{name} needs the parameter {key} ({param.describe()})")
            if not param.allows(value):
                raise self.refuse(f"{key}={_show(value)} must be {param.describe()}")
            params[key] = value
        return params

    def combined(
        self, combination: Combination, positional: list[ast.expr], named: dict[str, ast.expr]
    ) -> Combined:
        name = combination.name
        example = f"{name}(RBP(p=0.8), {', '.join(f'{d}=1' for d in self.known[:2])})"
        if len(positional) != 1:
            raise self.refuse(f"{name} takes one base measure, like {example}")
        weights: dict[str, float] = {}
        for key, tree in named.items():
            weight = self.value(tree)
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not 0 < weight < np.inf:
                raise self.refuse(f"the weight {key}={_show(weight)} must be a number above 0")
            weights[self.dimension(key)] = weight
        if len(weights) < 2:
            raise self.refuse(f"{name} needs two or more dimensions with weights, like {example}")
        base = self.measure(positional[0])
        if not isinstance(base, Single) or len(base.wanted) > 1:
            raise self.refuse(f"the base measure of {name} must be over one dimension")
        if base.dimensions != (self.known[0],):
            raise self.refuse(f"leave 'on' out of the base measure: {name} names the dimensions")
        kind = base.declaration.gain
        parts = tuple(
            Single(base.declaration, f"{base.name} on {d}", {d: kind}, base.cutoff, base.params)
            for d in weights
        )
        shown = ", ".join(f"{d}={_show(w)}" for d, w in weights.items())
        return Combined(combination, f"{name}({base.name}, {shown})", parts, (*weights.values(),))


def _show(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _nearest(word: str, choices: Iterable[str]) -> str:
    options = sorted(choices)
    folded = {option.lower(): option for option in reversed(options)}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{folded[close[0]]}'?"
    return f"; there is {', '.join(options)}" if options else ""


__all__ = ["Combined", "Measure", "Scores", "Single", "View", "parse", "slug"]
