"""Measures ready to be evaluated: a declared one over some dimensions, or a combination of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.gains import PRODUCT, Gains, Mix
from pipeline.measures.declaration import Combination, Declaration, Floats, Value, evaluate

FLOOR = 1e-5  # what trec_eval's geometric mean takes instead of 0


@dataclass(frozen=True)
class Scores:
    """What a measure says of every row (run x topic): value, and bounds for the unjudged."""

    value: Floats
    lower: Floats
    upper: Floats


def slug(name: str) -> str:
    """A measure's name as a file name: letters, digits and . @ = + - stay."""
    return re.sub(r"[^A-Za-z0-9.@=+-]+", "_", name).strip("_")


@dataclass(frozen=True)
class Single:
    """A declared measure over one dimension, or over several mixed into one gain a document."""

    declaration: Declaration
    name: str
    wanted: Mapping[str, str]  # dimension -> how its labels are read
    cutoff: int | None
    params: Mapping[str, Value]
    mix: Mix = PRODUCT
    combination: Combination | None = None  # what the mix was declared as

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
        mix = (self.combination.module,) if self.combination else ()
        return (self.declaration.module, *mix)

    @property
    def formula(self) -> str:
        """Its definition, and what g is when it is mixed from several dimensions."""
        formula = self.declaration.formula
        if len(self.wanted) == 1:
            return formula
        if self.combination:
            return f"{formula}, {self.combination.formula}"
        return f"{formula}, g = {' * '.join(f'{d} ({how})' for d, how in self.wanted.items())}"

    @property
    def citation(self) -> str:
        """Where it comes from."""
        if len(self.wanted) == 1:
            return self.declaration.citation
        mixed = self.combination.citation if self.combination else "gain product: Zuccon, ECIR 2016"
        return f"{self.declaration.citation}; {mixed}"

    @property
    def scored(self) -> bool:
        """Whether it needs the systems' own scores."""
        return self.declaration.scores

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        """Its value for every row under one scenario."""
        view = gains.view(self.wanted, mix=self.mix, scenario=scenario)
        return evaluate(self.declaration, view, self.cutoff, self.params)

    def scores(self, gains: Gains) -> Scores:
        """Its value and bounds for every row."""
        value = self.value(gains)
        if self.declaration.bounds is None:
            lower = self.value(gains, scenario="lower")
            upper = self.value(gains, scenario="upper")
        else:
            view = gains.view(self.wanted, mix=self.mix).at(self.cutoff)
            ends = self.declaration.bounds(view, **self.params)
            empty = gains.length == 0
            lower, upper = (np.where(empty, self.declaration.unretrieved, e) for e in ends)
        return Scores(value, lower, upper)

    def overall(self, values: Floats, gains: Gains) -> Floats:
        """[run]: its values over the topics, as the measure is aggregated."""
        table = values.reshape(len(gains.runs), -1)
        if self.declaration.aggregate == "sum":
            return np.asarray(table.sum(axis=1))
        if self.declaration.aggregate == "geometric":
            return np.asarray(np.exp(np.log(np.maximum(table, FLOOR)).mean(axis=1)))
        return np.asarray(table.mean(axis=1))


@dataclass(frozen=True)
class Combined:
    """A base measure over each dimension, combined into one score."""

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

    @property
    def scored(self) -> bool:
        """Whether it needs the systems' own scores."""
        return any(part.scored for part in self.parts)

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        """Its value for every row under one scenario."""
        return self._combine([part.value(gains, scenario=scenario) for part in self.parts])

    def scores(self, gains: Gains) -> Scores:
        """Its value and bounds: it rises with each part, so the parts' bounds bound it."""
        parts = [part.scores(gains) for part in self.parts]
        return Scores(
            self._combine([part.value for part in parts]),
            self._combine([part.lower for part in parts]),
            self._combine([part.upper for part in parts]),
        )

    def overall(self, values: Floats, gains: Gains) -> Floats:
        """[run]: the mean over topics, or the combination of the parts' means."""
        if not self.combination.means:
            return np.asarray(values.reshape(len(gains.runs), -1).mean(axis=1))
        return self._combine([part.overall(part.value(gains), gains) for part in self.parts])

    def _combine(self, parts: list[Floats]) -> Floats:
        combined: Floats = self.combination.function(np.array(parts), np.array(self.weights))
        return combined


Measure = Single | Combined
