"""The grammar of measure names: `nDCG@10`, `uRBP(p=0.8)`, `H(RBP(p=0.8), topicality=1, ...)`.

A measure is a Python expression of names, numbers, calls and `@`; it is parsed with `ast` and never
executed. A canonical name parses to a measure with the same name.
"""

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.errors import InputError, Problem
from pipeline.gains.dimension import PRODUCT, Mix, weighted_product
from pipeline.measures.cwl.declare import FIGURES
from pipeline.measures.declaration import COMBINATIONS, REGISTRY, Combination, Declaration, Param
from pipeline.measures.delegated import delegate
from pipeline.measures.measure import Combined, IntentAware, Measure, Single
from pipeline.measures.names import fathom_name, guess_measure
from pipeline.measures.subtopics import D_SHARP, GAMMA, OVER_SUBTOPICS

GRADED = "write gain=graded in the base measure"
READINGS = {"binary": "binary", "graded": "gain"}
Arguments = Mapping[str, Any]  # of a measure, by name


def parse(text: str, *, dimensions: Sequence[str]) -> Measure:
    """Parse a measure; `dimensions` are those of the campaign, with topicality first.

    The returned measure has a canonical name, with defaults and normalised spaces. trec_eval's
    names are accepted.

    >>> dimensions = ["topicality", "understandability"]
    >>> parse("uRBP", dimensions=dimensions).name
    'uRBP(p=0.8)'
    >>> parse("uRBP", dimensions=dimensions).dimensions
    ('topicality', 'understandability')
    >>> parse("H(nDCG@10,topicality=2,understandability=1)", dimensions=dimensions).name
    'H(nDCG@10, topicality=2, understandability=1)'
    >>> parse("ndcg_cut_10", dimensions=dimensions).name
    'nDCG@10'
    >>> parse("nDGC@10", dimensions=dimensions)
    Traceback (most recent call last):
    pipeline.errors.InputError: measure 'nDGC@10': no measure is called 'nDGC'; did you mean 'nDCG'?
    """
    try:
        tree = ast.parse(fathom_name(text.strip()) or text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        fix = "write it like nDCG@10, RBP(p=0.8) or H(AP, topicality=1, understandability=1)"
        raise InputError(Problem("", f"'{text}' is not a measure", fix)) from None
    return _Parser(text, tuple(dimensions)).measure(tree)


@dataclass(frozen=True)
class _Parser:
    text: str
    dimensions: tuple[str, ...]  # the campaign's dimensions
    registry: Mapping[str, Declaration] = field(default_factory=lambda: REGISTRY)

    def refuse(self, what: str, fix: str = "") -> InputError:
        return InputError(Problem(f"measure '{self.text}'", what, fix))

    def measure(self, tree: ast.expr) -> Measure:
        try:
            return self.own(tree)
        except InputError as refusal:
            if self.registry is not REGISTRY:
                raise
            first = self.dimensions[0]
            return delegate(tree, refusal=refusal, dimension=self.dimension, first=first)

    def own(self, tree: ast.expr) -> Measure:
        cutoff: int | None = None
        if isinstance(tree, ast.Name) and (own_name := fathom_name(tree.id)):
            tree = ast.parse(own_name, mode="eval").body  # another tool's name in a combination
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            value = self.value(tree.right)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                what = f"the cutoff @{value} must be a whole number from 1 up"
                raise self.refuse(what, "use @10")
            cutoff, tree = value, tree.left
        name, positional, keywords = self.call(tree)
        top_level = self.registry is REGISTRY
        if name in COMBINATIONS or (name in OVER_SUBTOPICS and top_level):
            if cutoff is not None:
                fix = f"write @{cutoff} after the base measure, inside the parentheses"
                raise self.refuse(f"{name} takes no cutoff", fix)
            if name in COMBINATIONS:
                return self.combined(COMBINATIONS[name], positional, keywords)
            return self.over_subtopics(name, positional, keywords)
        if name in FIGURES and top_level:
            return self.figure(name, positional, bare=cutoff is None and not keywords)
        if positional:
            raise self.refuse(f"{name} takes named parameters only", "name them, such as p=0.8")
        return self.single(name, cutoff, {k: self.value(v) for k, v in keywords.items()})

    def figure(self, name: str, positional: list[ast.expr], bare: bool) -> Single:
        """A C/W/L figure of a user model: ETU(RBP(p=0.8))."""
        inner = None
        if bare and len(positional) == 1:
            inner = _Parser(self.text, self.dimensions, FIGURES[name]).measure(positional[0])
        if not isinstance(inner, Single):
            raise self.refuse(f"{name} takes one user model", f"write {name}(RBP(p=0.8))")
        return replace(inner, name=f"{name}({inner.name})")

    def over_subtopics(
        self, name: str, positional: list[ast.expr], keywords: dict[str, ast.expr]
    ) -> Measure:
        """A base measure over the topic's subtopics: IA(nDCG@10), D(nDCG@10), Dsharp(nDCG@10)."""
        if len(positional) != 1:
            raise self.refuse(f"{name} takes one base measure", f"write {name}(nDCG@10)")
        params = {"gamma": GAMMA} if name == "Dsharp" else {}
        arguments = {key: self.value(value) for key, value in keywords.items()}
        values = self.params(name, params, arguments, more=set())
        base = self.measure(positional[0])
        if not isinstance(base, Single) or base.global_gain:
            raise self.refuse(f"{name} takes a simple base measure", f"write {name}(nDCG@10)")
        if name == "IA":
            return IntentAware(f"IA({base.name})", base)
        (reading, *further) = base.readings.values()
        if further or (reading not in ("binary", "gain") and not reading.startswith("rel=")):
            raise self.refuse(f"{name} needs gains from 0 to 1 of one dimension", GRADED)
        global_gain = replace(base, name=f"D({base.name})", global_gain=True)
        if name == "D":
            return global_gain
        covered = "Richness" if base.cutoff is None else "StRecall"
        (dimension,) = base.readings
        recall = self.single(covered, base.cutoff, {"on": dimension})
        gamma = float(values["gamma"])
        text = f"Dsharp({base.name}, gamma={_show(gamma)})"
        return Combined(D_SHARP, text, (global_gain, recall), (1 - gamma, gamma))

    def call(self, tree: ast.expr) -> tuple[str, list[ast.expr], dict[str, ast.expr]]:
        if isinstance(tree, ast.Name):
            return tree.id, [], {}
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            names = [keyword.arg for keyword in tree.keywords]
            if None in names:
                raise self.refuse("** is not allowed", "write parameters as name=value")
            if repeated := [name for name in names if names.count(name) > 1]:
                raise self.refuse(f"'{repeated[0]}' is given twice", "give it once")
            return tree.func.id, tree.args, {str(key.arg): key.value for key in tree.keywords}
        raise self.refuse("not a measure", "write it like nDCG@10 or RBP(p=0.8)")

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
        raise self.refuse(f"'{ast.unparse(tree)}' is not a value", "give a number or a name")

    def single(self, name: str, cutoff: int | None, arguments: Arguments) -> Single:
        declaration, product, graded = self.find(name)
        if declaration.cutoff == "required" and cutoff is None:
            raise self.refuse(f"{name} needs a cutoff, such as {name}@10")
        if declaration.cutoff == "none" and cutoff is not None:
            raise self.refuse(f"{name} takes no cutoff", f"leave out @{cutoff}")
        common = {"rel", "gain", "by" if product else "on"}
        if product:
            common |= set(self.dimensions) - set(declaration.params)
        if graded and not declaration.graded:
            raise self.ungraded(declaration, "the suffix gr")
        own = {key: value for key, value in arguments.items() if key not in common}
        params = self.params(name, declaration.params, own, more=common)
        reading, shown_reading = self.reading(declaration, arguments)
        readings, shown_dimensions = self.places(product, graded, arguments, reading)
        mix, shown_weights = self.weights(readings, arguments) if product else (PRODUCT, [])
        shown = [
            f"{key}={_show(value)}"
            for key, value in params.items()  # default choices are not part of the name
            if not declaration.params[key].choices or value != declaration.params[key].default
        ]
        shown += shown_reading + shown_dimensions + shown_weights
        text = name + (f"({', '.join(shown)})" if shown else "")
        text += "" if cutoff is None else f"@{cutoff}"
        return Single(declaration, text, readings, cutoff, params, mix)

    def weights(self, readings: Mapping[str, str], arguments: Arguments) -> tuple[Mix, list[str]]:
        """The exponents of dimensions in a product, and those that the name shows."""
        weights = dict.fromkeys(readings, 1.0)
        for name in (key for key in arguments if key in self.dimensions):
            if name not in readings:
                raise self.refuse(f"'{name}' has a weight but is not used", "add it to by=")
            weights[name] = self.weight(name, arguments[name])
        if set(weights.values()) == {1.0}:
            return PRODUCT, []
        shown = [f"{name}={_show(weight)}" for name, weight in weights.items() if weight != 1]
        return Mix(weighted_product, tuple(weights.values())), shown

    def weight(self, name: str, weight: object) -> float:
        if isinstance(weight, int | float) and weight is not True and 0 < weight < math.inf:
            return weight
        raise self.refuse(f"the weight {name}={_show(weight)} must be a number above 0")

    def reading(self, declaration: Declaration, arguments: Arguments) -> tuple[str, list[str]]:
        """The reading of the labels (rel=, gain= or as declared), and how the name shows it."""
        if declaration.gain == "judged" and {"rel", "gain"} & set(arguments):
            raise self.refuse(f"{declaration.name} does not read labels", "leave out rel and gain")
        if "rel" in arguments and "gain" in arguments:
            raise self.refuse("it has both rel and gain", "leave out one of them")
        if "rel" in arguments:
            level = arguments["rel"]
            if isinstance(level, bool) or not isinstance(level, int | float):
                raise self.refuse(f"rel={_show(level)} must be a label, such as rel=2")
            return f"rel={_show(level)}", [f"rel={_show(level)}"]
        if "gain" in arguments:
            value = arguments["gain"]
            if value not in READINGS:
                raise self.refuse(f"gain={_show(value)} must be one of {', '.join(READINGS)}")
            if value == "graded" and not declaration.graded:
                raise self.ungraded(declaration, "gain=graded")
            is_default = READINGS[value] == declaration.gain
            return READINGS[value], [] if is_default else [f"gain={value}"]
        return declaration.gain, []

    def ungraded(self, declaration: Declaration, word: str) -> InputError:
        what = f"{declaration.name} counts relevant documents and ignores how much each gains"
        return self.refuse(what, f"leave out {word}; rel= changes which labels are relevant")

    def find(self, name: str) -> tuple[Declaration, bool, bool]:
        """The declaration, whether it is a product (u...), and whether it is graded (u...gr)."""
        if name in self.registry:
            return self.registry[name], False, False
        for suffix in ("gr", ""):
            base = name.removeprefix("u").removesuffix(suffix)
            if name == f"u{base}{suffix}" and base in self.registry:
                return self.registry[base], True, bool(suffix)
        if guess := guess_measure(name, self.registry):
            raise self.refuse(f"no measure is called '{name}'", f"did you mean '{guess}'?")
        choices = [*self.registry, *COMBINATIONS, *OVER_SUBTOPICS]
        choices += [f"u{base}{suffix}" for base in self.registry for suffix in ("", "gr")]
        raise self.refuse(f"no measure is called '{name}'", _nearest(name, choices))

    def places(
        self, product: bool, graded: bool, arguments: Arguments, reading: str
    ) -> tuple[dict[str, str], list[str]]:
        """The reading of each dimension, and the part of the name that shows them."""
        first = self.dimensions[0]
        if not product:
            dimension = self.dimension(arguments.get("on", first))
            return {dimension: reading}, [] if dimension == first else [f"on={dimension}"]
        by = str(arguments.get("by", "understandability")).split("+")
        names = [self.dimension(name) for name in by]
        if first in names or len(set(names)) < len(names):
            fix = f"leave out '{first}' and repetitions"
            raise self.refuse(f"by={'+'.join(by)} must name other dimensions, each once", fix)
        level = "gain" if graded else "binary"
        level = "judged" if reading == "judged" else level
        readings = {first: reading, **dict.fromkeys(names, level)}
        return readings, [] if names == ["understandability"] else [f"by={'+'.join(names)}"]

    def dimension(self, name: object) -> str:
        if name not in self.dimensions:
            hint = _nearest(str(name), self.dimensions)
            raise self.refuse(f"no dimension is called '{name}'", hint)
        return str(name)

    def params(
        self, name: str, declared: Mapping[str, Param], arguments: Arguments, more: set[str]
    ) -> dict[str, Any]:
        for key in arguments:
            if key not in declared:
                hint = _nearest(key, [*declared, *more])
                raise self.refuse(f"{name} has no parameter '{key}'", hint)
        params: dict[str, Any] = {}
        for key, param in declared.items():
            value = arguments.get(key, param.default)
            if value is None:
                raise self.refuse(f"{name} needs {key}", f"add {key}=, {param.describe()}")
            if not param.allows(value):
                raise self.refuse(f"{key}={_show(value)} must be {param.describe()}")
            params[key] = value
        return params

    def combined(
        self, combination: Combination, positional: list[ast.expr], keywords: dict[str, ast.expr]
    ) -> Measure:
        name = combination.name
        example = f"{name}(RBP(p=0.8), {', '.join(f'{d}=1' for d in self.dimensions[:2])})"
        if len(positional) != 1:
            raise self.refuse(f"{name} takes one base measure", f"write {example}")
        weights: dict[str, float] = {}
        for key, tree in keywords.items():
            weights[self.dimension(key)] = self.weight(key, self.value(tree))
        if len(weights) < 2:
            raise self.refuse(f"{name} needs weights of two or more dimensions", f"write {example}")
        base = self.measure(positional[0])
        if not isinstance(base, Single) or len(base.readings) > 1:
            what = f"the base measure of {name} must be over one dimension"
            raise self.refuse(what, f"write {example}")
        if base.dimensions != (self.dimensions[0],):
            raise self.refuse(f"{name} names the dimensions", "leave 'on' out of the base measure")
        (reading,) = base.readings.values()
        shown = ", ".join(f"{d}={_show(w)}" for d, w in weights.items())
        text = f"{name}({base.name}, {shown})"
        if combination.of == "gains" or combination.parts:
            if reading not in ("binary", "gain") and not reading.startswith("rel="):
                raise self.refuse(f"{name} needs gains from 0 to 1", GRADED)
            if combination.of == "gains":
                return self.mixed(combination, base, text, weights)
            mixed = tuple(
                self.mixed(COMBINATIONS[part], base, f"{part} of {base.name}", weights)
                for part in combination.parts
            )
            return Combined(combination, text, mixed, (*weights.values(),))
        parts = tuple(
            Single(base.declaration, f"{base.name} on {d}", {d: reading}, base.cutoff, base.params)
            for d in weights
        )
        return Combined(combination, text, parts, (*weights.values(),))

    def mixed(
        self, combination: Combination, base: Single, text: str, weights: Mapping[str, float]
    ) -> Single:
        """The base measure over gains mixed from several dimensions."""
        further = frozenset(weights) - {next(iter(weights))}
        falling = further if combination.falling == "others" else frozenset()
        mix = Mix(combination.function, tuple(weights.values()), falling)
        (reading,) = base.readings.values()
        readings = dict.fromkeys(weights, reading)
        return Single(base.declaration, text, readings, base.cutoff, base.params, mix, combination)


def _show(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _nearest(word: str, choices: Iterable[str]) -> str:
    options = sorted(choices)
    folded = {option.lower(): option for option in reversed(options)}
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), folded, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{folded[close[0]]}'?"
    if len(options) > 12:
        return "`fathom measures` lists all measures"
    return f"available: {', '.join(options)}" if options else ""
