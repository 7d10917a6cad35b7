"""Measures as people write them: `nDCG@10`, `uRBP(p=0.8)`, `H(RBP(p=0.8), topicality=1, ...)`.

A measure string is a Python expression of names, numbers, calls and `@`; it is parsed with `ast`
and never executed. Canonical names parse back to themselves.
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
from pipeline.measures.delegated import instead
from pipeline.measures.measure import Combined, IntentAware, Measure, Single
from pipeline.measures.names import meant, ours
from pipeline.measures.subtopics import D_SHARP, GAMMA, OVER_SUBTOPICS

GRADED = "write gain=graded in the base measure"
READINGS = {"binary": "binary", "graded": "gain"}


def parse(text: str, *, dimensions: Sequence[str]) -> Measure:
    """Read a measure; `dimensions` are those of the campaign, the first being topicality.

    The name of what comes back is canonical: defaults are spelled out, spaces are in their places.
    trec_eval's names are understood.

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
        tree = ast.parse(ours(text.strip()) or text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        fix = (
            "write it like nDCG@10, RBP(p=0.8) or H(RBP(p=0.8), topicality=1, understandability=1)"
        )
        raise InputError(Problem("", f"'{text}' is not a measure", fix)) from None
    return _Parser(text, tuple(dimensions)).measure(tree)


@dataclass(frozen=True)
class _Parser:
    text: str
    known: tuple[str, ...]  # the campaign's dimensions
    registry: Mapping[str, Declaration] = field(default_factory=lambda: REGISTRY)

    def refuse(self, what: str, fix: str = "") -> InputError:
        return InputError(Problem(f"measure '{self.text}'", what, fix))

    def measure(self, tree: ast.expr) -> Measure:
        try:
            return self.own(tree)
        except InputError as refusal:
            if self.registry is not REGISTRY:
                raise
            return instead(tree, refusal=refusal, dimension=self.dimension, first=self.known[0])

    def own(self, tree: ast.expr) -> Measure:
        cutoff: int | None = None
        if isinstance(tree, ast.Name) and (known := ours(tree.id)):
            tree = ast.parse(known, mode="eval").body  # inside a combination
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            found = self.value(tree.right)
            if not isinstance(found, int) or isinstance(found, bool) or found < 1:
                raise self.refuse(f"the cutoff @{found} must be a whole number from 1 up")
            cutoff, tree = found, tree.left
        name, positional, named = self.call(tree)
        whole = self.registry is REGISTRY
        if name in COMBINATIONS or (name in OVER_SUBTOPICS and whole):
            if cutoff is not None:
                raise self.refuse(f"give the cutoff to the base measure of {name}, not to {name}")
            if name in COMBINATIONS:
                return self.combined(COMBINATIONS[name], positional, named)
            return self.over_subtopics(name, positional, named)
        if name in FIGURES and whole:
            return self.figure(name, positional, plain=cutoff is None and not named)
        if positional:
            raise self.refuse(f"{name} takes named parameters only, such as p=0.8")
        return self.single(name, cutoff, {k: self.value(v) for k, v in named.items()})

    def figure(self, name: str, positional: list[ast.expr], plain: bool) -> Single:
        """A C/W/L figure of a user model: ETU(RBP(p=0.8))."""
        inner = None
        if plain and len(positional) == 1:
            inner = _Parser(self.text, self.known, FIGURES[name]).measure(positional[0])
        if not isinstance(inner, Single):
            raise self.refuse(f"{name} takes one user model, like {name}(RBP(p=0.8))")
        return replace(inner, name=f"{name}({inner.name})")

    def over_subtopics(
        self, name: str, positional: list[ast.expr], named: dict[str, ast.expr]
    ) -> Measure:
        """A base measure over the topic's subtopics: IA(nDCG@10), D(nDCG@10), Dsharp(nDCG@10)."""
        if len(positional) != 1:
            raise self.refuse(f"{name} takes one base measure, like {name}(nDCG@10)")
        params = {"gamma": GAMMA} if name == "Dsharp" else {}
        given = {key: self.value(value) for key, value in named.items()}
        own = self.params(name, params, given, extra=())
        base = self.measure(positional[0])
        if not isinstance(base, Single) or base.pooled:
            raise self.refuse(f"the base measure of {name} must be one of plain gains")
        if name == "IA":
            return IntentAware(f"IA({base.name})", base)
        (reading, *others) = base.wanted.values()
        if others or (reading not in ("binary", "gain") and not reading.startswith("rel=")):
            raise self.refuse(f"{name} needs gains from 0 to 1 of one dimension", GRADED)
        one = replace(base, name=f"D({base.name})", pooled=True)
        if name == "D":
            return one
        covered = "Richness" if base.cutoff is None else "StRecall"
        (place,) = base.wanted
        recall = self.single(covered, base.cutoff, {"on": place})
        gamma = float(own["gamma"])
        full = f"Dsharp({base.name}, gamma={_show(gamma)})"
        return Combined(D_SHARP, full, (one, recall), (1 - gamma, gamma))

    def call(self, tree: ast.expr) -> tuple[str, list[ast.expr], dict[str, ast.expr]]:
        if isinstance(tree, ast.Name):
            return tree.id, [], {}
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            names = [keyword.arg for keyword in tree.keywords]
            if None in names:
                raise self.refuse("** is not understood here")
            if twice := [name for name in names if names.count(name) > 1]:
                raise self.refuse(f"'{twice[0]}' is given twice")
            return tree.func.id, tree.args, {str(key.arg): key.value for key in tree.keywords}
        raise self.refuse("not understood", "write it like nDCG@10 or RBP(p=0.8)")

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

    def single(self, name: str, cutoff: int | None, given: Mapping[str, Any]) -> Single:
        declaration, product, graded = self.find(name)
        if declaration.cutoff == "required" and cutoff is None:
            raise self.refuse(f"{name} needs a cutoff, such as {name}@10")
        if declaration.cutoff == "none" and cutoff is not None:
            raise self.refuse(f"{name} takes no cutoff", f"leave out @{cutoff}")
        common = {"rel", "gain", "by" if product else "on"}
        if product:
            common |= set(self.known) - set(declaration.params)
        if graded and not declaration.graded:
            raise self.ungraded(declaration, "the suffix gr")
        own = {key: value for key, value in given.items() if key not in common}
        params = self.params(name, declaration.params, own, extra=sorted(common))
        reading, how = self.reading(declaration, given)
        wanted, places = self.places(product, graded, given, reading)
        mix, weighted = self.weights(wanted, given) if product else (PRODUCT, [])
        shown = [
            f"{key}={_show(value)}"
            for key, value in params.items()  # a word is shown where it is not the default
            if not declaration.params[key].choices or value != declaration.params[key].default
        ]
        shown += how + places + weighted
        full = name + (f"({', '.join(shown)})" if shown else "")
        full += "" if cutoff is None else f"@{cutoff}"
        return Single(declaration, full, wanted, cutoff, params, mix)

    def weights(self, wanted: Mapping[str, str], given: Mapping[str, Any]) -> tuple[Mix, list[str]]:
        """The weights of dimensions in a product, as exponents; and what of it is in the name."""
        weights = dict.fromkeys(wanted, 1.0)
        for name in (key for key in given if key in self.known):
            if name not in wanted:
                raise self.refuse(f"'{name}' has a weight, but no part in it", "add it to by=")
            weights[name] = self.weight(name, given[name])
        if set(weights.values()) == {1.0}:
            return PRODUCT, []
        shown = [f"{name}={_show(weight)}" for name, weight in weights.items() if weight != 1]
        return Mix(weighted_product, tuple(weights.values())), shown

    def weight(self, name: str, weight: object) -> float:
        """The weight of a dimension."""
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if number and 0 < weight < math.inf:  # type: ignore[operator]
            return weight  # type: ignore[return-value]
        raise self.refuse(f"the weight {name}={_show(weight)} must be a number above 0")

    def reading(self, declaration: Declaration, given: Mapping[str, Any]) -> tuple[str, list[str]]:
        """How labels are read: as the measure declares, or as rel= or gain= say."""
        if declaration.gain == "judged" and {"rel", "gain"} & set(given):
            raise self.refuse(f"{declaration.name} reads no label", "leave out rel and gain")
        if "rel" in given and "gain" in given:
            raise self.refuse("give rel or gain, not both")
        if "rel" in given:
            level = given["rel"]
            if isinstance(level, bool) or not isinstance(level, int | float):
                raise self.refuse(f"rel={_show(level)} must be a label, such as rel=2")
            return f"rel={_show(level)}", [f"rel={_show(level)}"]
        if "gain" in given:
            word = given["gain"]
            if word not in READINGS:
                raise self.refuse(f"gain={_show(word)} must be one of {', '.join(READINGS)}")
            if word == "graded" and not declaration.graded:
                raise self.ungraded(declaration, "gain=graded")
            plain = READINGS[word] == declaration.gain
            return READINGS[word], [] if plain else [f"gain={word}"]
        return declaration.gain, []

    def ungraded(self, declaration: Declaration, word: str) -> InputError:
        what = f"{declaration.name} counts relevant documents and ignores how much each gains"
        return self.refuse(what, f"leave out {word}; rel= changes which labels are relevant")

    def find(self, name: str) -> tuple[Declaration, bool, bool]:
        """The declaration a name means; u...: over a product, u...gr: with graded further gains."""
        if name in self.registry:
            return self.registry[name], False, False
        for suffix in ("gr", ""):
            base = name.removeprefix("u").removesuffix(suffix)
            if name == f"u{base}{suffix}" and base in self.registry:
                return self.registry[base], True, bool(suffix)
        if near := meant(name, self.registry):
            raise self.refuse(f"no measure is called '{name}'", f"did you mean '{near}'?")
        choices = [*self.registry, *COMBINATIONS, *OVER_SUBTOPICS]
        choices += [f"u{base}{suffix}" for base in self.registry for suffix in ("", "gr")]
        raise self.refuse(f"no measure is called '{name}'", _nearest(name, choices))

    def places(
        self, product: bool, graded: bool, given: Mapping[str, Any], reading: str
    ) -> tuple[dict[str, str], list[str]]:
        """Which dimensions are read, and how; and what of it belongs in the name."""
        first = self.known[0]
        if not product:
            place = self.dimension(given.get("on", first))
            return {place: reading}, [] if place == first else [f"on={place}"]
        by = str(given.get("by", "understandability")).split("+")
        others = [self.dimension(name) for name in by]
        if first in others or len(set(others)) < len(others):
            raise self.refuse(f"by={'+'.join(by)} must name further dimensions, each once")
        further = "gain" if graded else "binary"
        further = "judged" if reading == "judged" else further
        wanted = {first: reading, **dict.fromkeys(others, further)}
        return wanted, [] if others == ["understandability"] else [f"by={'+'.join(others)}"]

    def dimension(self, name: object) -> str:
        if name not in self.known:
            near = _nearest(str(name), self.known)
            raise self.refuse(f"there is no dimension '{name}'", near)
        return str(name)

    def params(
        self,
        name: str,
        declared: Mapping[str, Param],
        given: Mapping[str, Any],
        extra: Sequence[str],
    ) -> dict[str, Any]:
        for key in given:
            if key not in declared:
                near = _nearest(key, [*declared, *extra])
                raise self.refuse(f"{name} has no parameter '{key}'", near)
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
    ) -> Measure:
        name = combination.name
        example = f"{name}(RBP(p=0.8), {', '.join(f'{d}=1' for d in self.known[:2])})"
        if len(positional) != 1:
            raise self.refuse(f"{name} takes one base measure, like {example}")
        weights: dict[str, float] = {}
        for key, tree in named.items():
            weight = self.weight(key, self.value(tree))
            weights[self.dimension(key)] = weight
        if len(weights) < 2:
            raise self.refuse(f"{name} needs two or more dimensions with weights, like {example}")
        base = self.measure(positional[0])
        if not isinstance(base, Single) or len(base.wanted) > 1:
            raise self.refuse(f"the base measure of {name} must be over one dimension")
        if base.dimensions != (self.known[0],):
            raise self.refuse(f"leave 'on' out of the base measure: {name} names the dimensions")
        (reading,) = base.wanted.values()
        shown = ", ".join(f"{d}={_show(w)}" for d, w in weights.items())
        full = f"{name}({base.name}, {shown})"
        if combination.of == "gains" or combination.parts:
            if reading not in ("binary", "gain") and not reading.startswith("rel="):
                raise self.refuse(f"{name} needs gains from 0 to 1", GRADED)
            if combination.of == "gains":
                return self.mixed(combination, base, full, weights)
            mixed = tuple(
                self.mixed(COMBINATIONS[part], base, f"{part} of {base.name}", weights)
                for part in combination.parts
            )
            return Combined(combination, full, mixed, (*weights.values(),))
        parts = tuple(
            Single(base.declaration, f"{base.name} on {d}", {d: reading}, base.cutoff, base.params)
            for d in weights
        )
        return Combined(combination, full, parts, (*weights.values(),))

    def mixed(
        self, combination: Combination, base: Single, full: str, weights: Mapping[str, float]
    ) -> Single:
        """The base measure over gains that are mixed from several dimensions."""
        others = frozenset(weights) - {next(iter(weights))}
        falling = others if combination.falling == "others" else frozenset()
        mix = Mix(combination.function, tuple(weights.values()), falling)
        (reading,) = base.wanted.values()
        wanted = dict.fromkeys(weights, reading)
        return Single(base.declaration, full, wanted, base.cutoff, base.params, mix, combination)


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
        return "`fathom measures` lists them all"
    return f"there is {', '.join(options)}" if options else ""
