"""Measures that can be evaluated: a declared measure over dimensions, or a combination."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from pipeline.gains.blocks import blocks
from pipeline.gains.dimension import PRODUCT, Mix
from pipeline.gains.gains import Gains, View
from pipeline.gains.global_gain import with_global_gain
from pipeline.measures.declaration import READINGS, Combination, Declaration, Value
from pipeline.storage.arrays import Floats

T = TypeVar("T")
FLOOR = 1e-5  # the lowest score in a geometric mean, as in trec_eval


class Scores(NamedTuple):
    """The scores of every row (run x topic): value, and bounds for all labels of unjudged ones."""

    value: Floats
    lower: Floats
    upper: Floats
    # The bounds if only retrieved documents are unjudged, and ranks past the end have no gain.
    unjudged_lower: Floats
    unjudged_upper: Floats

    @property
    def unjudged(self) -> Floats:
        """The residual due to retrieved unjudged documents."""
        return self.unjudged_upper - self.unjudged_lower

    @property
    def past_end(self) -> Floats:
        """The additional residual due to ranks past the end of the ranking."""
        return np.maximum(self.upper - self.lower - self.unjudged, 0.0)


ENDS = Scores._fields
SWAPPED = ("value", "upper", "lower", "unjudged_upper", "unjudged_lower")
OPPOSITE = dict(zip(ENDS, SWAPPED, strict=True))


def slug(name: str) -> str:
    """A measure's name as a file name; only letters, digits and . @ = + - are kept.

    >>> slug("H(nDCG@10, topicality=1, understandability=0.5)")
    'H_nDCG@10_topicality=1_understandability=0.5'
    """
    return re.sub(r"[^A-Za-z0-9.@=+-]+", "_", name).strip("_")


class _MeasureBase:
    """What all measures have: a name and parts.

    Each class also has a formula, a citation, the value of every row (run x topic) under a
    scenario, the scores (value and bounds), and the overall score of each run over the topics.
    """

    name: str
    parts: tuple["Single", ...]

    @property
    def slug(self) -> str:
        return slug(self.name)

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(d for part in self.parts for d in part.readings))

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(module for part in self.parts for module in part.modules))

    @property
    def scored(self) -> bool:
        return any(part.declaration.scores for part in self.parts)

    @property
    def costed(self) -> bool:
        return any(part.declaration.costs for part in self.parts)


@dataclass(frozen=True)
class Single(_MeasureBase):
    """A declared measure over one dimension, or over several mixed into one gain per document."""

    declaration: Declaration
    name: str
    readings: Mapping[str, str]  # dimension -> reading of its labels
    cutoff: int | None
    params: Mapping[str, Value]
    mix: Mix = PRODUCT
    combination: Combination | None = None  # the declaration of the mix
    global_gain: bool = False  # whether it is over the global gain of subtopics

    @property
    def parts(self) -> tuple["Single", ...]:  # type: ignore[override]
        return (self,)

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(source.module for source in (self.declaration, self.combination) if source)

    @property
    def formula(self) -> str:
        """The formula, with that of g if it is mixed from several dimensions."""
        formula = self.declaration.formula
        if self.global_gain:
            return f"{formula}, g = sum_s P(s) g_s"
        if len(self.readings) == 1:
            return formula
        if self.combination:
            return f"{formula}, {self.combination.formula}"
        weights = self.mix.weights or (1,) * len(self.readings)
        parts = [
            f"{name} ({READINGS.get(reading, reading)})" + ("" if weight == 1 else f"^{weight:g}")
            for (name, reading), weight in zip(self.readings.items(), weights, strict=True)
        ]
        return f"{formula}, g = {' * '.join(parts)}"

    @property
    def citation(self) -> str:
        if self.global_gain:
            return f"{self.declaration.citation}; global gain: Sakai & Song, SIGIR 2011"
        if len(self.readings) == 1:
            return self.declaration.citation
        mixed = "gain product: Zuccon, ECIR 2016"
        mixed += "; weights: exponents, after its section 7" if self.mix.weights else ""
        mixed = self.combination.citation if self.combination else mixed
        return f"{self.declaration.citation}; {mixed}"

    def view(self, gains: Gains, *, scenario: str = "value") -> View:
        if not self.global_gain:
            return gains.view(self.readings, mix=self.mix, scenario=scenario)
        ((dimension, reading),) = self.readings.items()
        source = with_global_gain(gains, dimension=dimension, reading=reading)
        readings = {dimension: reading} if source is gains else {dimension: "gain"}
        return source.view(readings, scenario=scenario)

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        return self.value_of(self.view(gains, scenario=scenario))

    def value_of(self, view: View) -> Floats:
        """[row]: the value of a view, down to the cutoff."""
        values = self.declaration.function(view.at(self.cutoff), **self.params)
        return self._set_unretrieved(values, view)

    def _set_unretrieved(self, values: Floats, view: View) -> Floats:
        """The values, with the declared score for topics without retrieved documents."""
        unretrieved = self.declaration.unretrieved
        return values if unretrieved is None else np.where(view.length == 0, unretrieved, values)

    def scores(self, gains: Gains) -> Scores:
        value, ends = self.value(gains), self.bounds(gains)
        if gains.ended or not self.declaration.endless:
            return Scores(value, *ends, *ends)
        ended = replace(gains, ended=True, cache=gains.judgement_cache)
        if self.declaration.bounds is None:  # only the upper bound has gains past the end
            return Scores(value, *ends, ends[0], self.value(ended, scenario="upper"))
        return Scores(value, *ends, *self.bounds(ended))

    def ends(self, gains: Gains) -> Scores:
        """The scores, cached, since a combination of means needs them for each bound."""
        key = ("scores", self.name, tuple(self.readings.items()), self.mix)
        scores: Scores = gains.compute_once(key, lambda: scores_of([self], gains)[0])
        return scores

    def bounds(self, gains: Gains) -> tuple[Floats, Floats]:
        """The lower and upper bound of every row; NaN where unknown."""
        bounds = self.declaration.bounds
        if bounds == "unknown":
            return (np.full(len(gains.topic), np.nan),) * 2
        if bounds == "range":
            value, view = self.value(gains), self.view(gains)
            undecided = (view.retrieved & ~view.judged).any(axis=1)
            lowest, highest = self.declaration.range
            return np.where(undecided, lowest, value), np.where(undecided, highest, value)
        if bounds == "falling":
            return np.zeros(len(gains.topic)), self.value(gains)
        if bounds is None:
            return self.value(gains, scenario="lower"), self.value(gains, scenario="upper")
        assert callable(bounds)
        view = self.view(gains).at(self.cutoff)
        lower, upper = bounds(view, **self.params)
        return self._set_unretrieved(lower, view), self._set_unretrieved(upper, view)

    def overall(self, values: Floats, gains: Gains, *, end: str = "value") -> Floats:
        """[run]: the values, or the bounds, aggregated over the topics."""
        table = values.reshape(len(gains.runs), -1)
        if self.declaration.aggregate == "sum":
            return np.asarray(table.sum(axis=1))
        if self.declaration.aggregate == "geometric":
            return np.asarray(np.exp(np.log(np.maximum(table, FLOOR)).mean(axis=1)))
        return np.asarray(table.mean(axis=1))


@dataclass(frozen=True)
class Combined(_MeasureBase):
    """A base measure over each dimension, combined into one score."""

    combination: Combination
    name: str
    parts: tuple[Single, ...]
    weights: tuple[float, ...]

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.combination.module, *super().modules)))

    @property
    def formula(self) -> str:
        return f"{self.combination.formula}; M = {self.parts[0].formula}"

    @property
    def citation(self) -> str:
        return f"{self.combination.citation}; {self.parts[0].citation}"

    @property
    def falls(self) -> tuple[bool, ...]:
        """Which parts lower the score as they rise."""
        names = [part.combination.name if part.combination else "" for part in self.parts]
        return tuple(name in self.combination.falls for name in names)

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        pairs = zip(self.parts, self._ends(scenario), strict=True)
        return self.combine([part.value(gains, scenario=end) for part, end in pairs])

    def scores(self, gains: Gains) -> Scores:
        """Value and bounds: the score is monotone in each part, so the parts' bounds bound it."""
        parts = [part.scores(gains) for part in self.parts]
        ends = [zip(parts, self._ends(end), strict=True) for end in ENDS]
        values = ([getattr(part, end) for part, end in pairs] for pairs in ends)
        return Scores(*map(self.combine, values))

    def overall(self, values: Floats, gains: Gains, *, end: str = "value") -> Floats:
        """[run]: the mean over topics, or the combination of the parts' means."""
        if not self.combination.means:
            return np.asarray(values.reshape(len(gains.runs), -1).mean(axis=1))
        parts = []
        for part, end_ in zip(self.parts, self._ends(end), strict=True):
            values_ = part.value(gains) if end_ == "value" else getattr(part.ends(gains), end_)
            parts.append(part.overall(values_, gains))
        return self.combine(parts)

    def combine(self, parts: Sequence[Floats]) -> Floats:
        """The combination of the parts' values, [part][row]."""
        scores = np.array(parts)
        combined: Floats = self.combination.function(scores, np.array(self.weights))
        return np.where(np.isnan(scores).any(axis=0), np.nan, combined)  # unknown stays unknown

    def _ends(self, end: str) -> list[str]:
        """The bound of each part that gives this bound of the combination."""
        return [OPPOSITE[end] if falls else end for falls in self.falls]


@dataclass(frozen=True)
class IntentAware(_MeasureBase):
    """A base measure over each subtopic, averaged with the weights P(s)."""

    name: str
    base: Single

    @property
    def parts(self) -> tuple[Single, ...]:  # type: ignore[override]
        return (self.base,)

    @property
    def formula(self) -> str:
        return f"sum_s P(s) M_s; M = {self.base.formula}"

    @property
    def citation(self) -> str:
        return f"Agrawal, Gollapudi, Halverson & Ieong, WSDM 2009; {self.base.citation}"

    def value(self, gains: Gains, *, scenario: str = "value") -> Floats:
        each = [self.base.value(part, scenario=scenario) for part in gains.subtopics]
        return self.averaged(gains, each)

    def scores(self, gains: Gains) -> Scores:
        """Value and bounds: labels of subtopics are independent, so bounds are means as well."""
        each = [self.base.scores(part) for part in gains.subtopics]
        return Scores(*(self.averaged(gains, ends) for ends in zip(*each, strict=True)))

    def overall(self, values: Floats, gains: Gains, *, end: str = "value") -> Floats:
        """[run]: the values aggregated over the topics like those of the base measure."""
        return self.base.overall(values, gains, end=end)

    def averaged(self, gains: Gains, each: Sequence[Floats]) -> Floats:
        """The mean of the subtopics' values, weighted by P(s)."""
        view = gains.view(self.base.readings, mix=self.base.mix)
        return np.asarray((view.chances[view.topic].T * np.array(each)).sum(axis=0))


Measure = Single | Combined | IntentAware


def computed_here(measure: Measure) -> bool:
    """Whether Fathom computes the measure, not ir_measures."""
    return all(part.declaration.bounds != "unknown" for part in measure.parts)


def by_blocks(
    measures: Sequence[Measure], gains: Gains, evaluate: Callable[[Measure, Gains], T]
) -> list[list[T]]:
    """[measure]: the results of `evaluate` per block; ir_measures computes all rows at once."""
    parts: dict[int, list[T]] = {n: [] for n, m in enumerate(measures) if computed_here(m)}
    for block in blocks(gains) if parts else ():
        for number, results in parts.items():
            results.append(evaluate(measures[number], block))
    return [parts.get(n) or [evaluate(measure, gains)] for n, measure in enumerate(measures)]


def scores_of(measures: Sequence[Measure], gains: Gains) -> list[Scores]:
    """Values and bounds of several measures."""
    blocks_of = by_blocks(measures, gains, lambda measure, block: measure.scores(block))
    return [Scores(*map(np.concatenate, zip(*parts, strict=True))) for parts in blocks_of]
