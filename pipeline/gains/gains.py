"""Gains: rankings joined with labels, as arrays; the only input of measures.

Each dimension has an array [run x topic, rank] of level numbers and the gain of each level. Level 0
means no document (past the end of a ranking), level 1 an unjudged document. Its gain is NaN until a
*scenario* decides. value: no gain; lower: no gain, but ideal rankings have the unjudged documents,
too; upper: full gain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.gains import places
from pipeline.gains.dimension import NOTHING, PRODUCT, UNJUDGED, Dimension, Mix
from pipeline.gains.places import Places, best_first
from pipeline.storage.arrays import Bools, Floats, Ints

T = TypeVar("T")
JUDGEMENT_KEYS = ("ideal", "chances", "greedy", "documents")  # first words of keys of Gains.cache


@dataclass(frozen=True)
class Gains:
    """All dimensions a measure needs, over the same runs and topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: Ints  # [row]: the number of the row's topic; rows are sorted by run, then topic
    length: Ints  # [row]: documents retrieved
    dimensions: Mapping[str, Dimension]
    score: Floats | None = None  # [row, rank]: the system's own score; NaN past the end
    tie: Ints | None = None  # [row, rank]: number of the group of equal scores
    cost: Floats | None = None  # [row, rank]: what a user spends on each document
    usual_cost: float = 1.0  # of a document without a cost, or past the end
    sampled: Bools | None = None  # [row, rank]: in the pool, but not in the judged sample
    ended: bool = False  # whether ranks past the end have no gain even in the upper scenario
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def view(
        self, readings: Mapping[str, str], *, mix: Mix = PRODUCT, scenario: str = "value"
    ) -> "View":
        """The input of a measure: gains at each rank, mixed from dimensions (name -> reading)."""
        key = (tuple(readings.items()), mix, scenario)
        return self.compute_once(key, lambda: View(self, dict(readings), mix, scenario, None))

    def compute_once(self, key: Any, compute: Callable[[], T]) -> T:
        """The result of `compute`, cached under a key, since measures and cutoffs share it."""
        if key not in self.cache:
            self.cache[key] = compute()
        value: T = self.cache[key]
        return value

    @property
    def subtopics(self) -> tuple["Gains", ...]:
        """The gains for each subtopic; without subtopics, only these gains themselves."""
        count = max(dimension.subtopics.shape[1] for dimension in self.dimensions.values())
        parts = self.compute_once("subtopics", lambda: tuple(map(self._subtopic, range(count))))
        return parts or (self,)

    def _subtopic(self, number: int) -> "Gains":
        dimensions = {name: part.subtopic(number) for name, part in self.dimensions.items()}
        return replace(self, dimensions=dimensions, cache={})

    @property
    def judgement_cache(self) -> dict[Any, Any]:
        """The cached values that depend only on judgements, not on rows or their order."""
        return {key: value for key, value in self.cache.items() if key[0] in JUDGEMENT_KEYS}

    def rows(self, selection: Bools | Ints | slice) -> "Gains":
        """The selected rows, which may repeat; a slice is not copied."""
        topic, length = self.topic[selection], self.length[selection]
        return self._changed(lambda values: values[selection], topic=topic, length=length)

    def reordered(self, order: Ints, *, tied: bool = False) -> "Gains":
        """The documents in another order per row; `tied` orders leave the scores as they are."""
        unchanged = {"score": self.score, "tie": self.tie} if tied else {}
        return self._changed(lambda values: np.take_along_axis(values, order, axis=1), **unchanged)

    def _changed(self, change: Callable[[NDArray[Any]], NDArray[Any]], **fields_: Any) -> "Gains":
        """All arrays [row, rank] changed in the same way, and `fields_` replaced."""
        dimensions = {n: replace(d, codes=change(d.codes)) for n, d in self.dimensions.items()}
        for name in ("score", "tie", "cost", "sampled"):
            values = getattr(self, name)
            fields_.setdefault(name, None if values is None else change(values))
        return replace(self, **fields_, dimensions=dimensions, cache=self.judgement_cache)

    def condensed(self, by: str) -> "Gains":
        """The rankings without documents that are unjudged in dimension `by` (trec_eval -J)."""
        judged = self.dimensions[by].codes > UNJUDGED
        squeezed = self.reordered(np.argsort(~judged, axis=1, kind="stable"))
        length = judged.sum(axis=1)
        beyond = np.arange(judged.shape[1]) >= length[:, None]
        dimensions = {
            n: replace(d, codes=np.where(beyond, d.codes.dtype.type(NOTHING), d.codes))
            for n, d in squeezed.dimensions.items()
        }
        score = None if squeezed.score is None else np.where(beyond, np.nan, squeezed.score)
        return replace(squeezed, length=length, dimensions=dimensions, score=score, sampled=None)


@dataclass(frozen=True)
class View:
    """Gains of some dimensions under one scenario: the argument of a measure's function."""

    gains: Gains
    readings: Mapping[str, str]
    mix: Mix
    scenario: str
    cut: int | None
    override: Floats | None = None  # [row, rank] gains to use instead, such as means over ties

    def at(self, cut: int | None) -> "View":
        return self if cut == self.cut else replace(self, cut=cut)

    def under(self, scenario: str) -> "View":
        """The view of whole rankings under another scenario."""
        return self.gains.view(self.readings, mix=self.mix, scenario=scenario)

    @cached_property
    def depth(self) -> int:
        full: int = next(iter(self.gains.dimensions.values())).codes.shape[1]
        return full if self.cut is None else min(full, self.cut)

    @cached_property
    def gain(self) -> Floats:
        """[row, rank]: gain at each rank, 0 past the end of the ranking."""
        if self.override is not None:
            return self.override[:, : self.depth]
        dimensions = self.gains.dimensions
        parts = [self._worth(n)[dimensions[n].codes[:, : self.depth]] for n in self.readings]
        mixed = self.mix.function(parts, self.mix.weights)
        # Some mixes give a gain to documents without any label; past the end there is none.
        return mixed if self.mix is PRODUCT else np.where(self.retrieved, mixed, 0.0)

    @cached_property
    def judged(self) -> Bools:
        """[row, rank]: whether the document is judged in all dimensions of the view."""
        levels = (self.gains.dimensions[name].codes[:, : self.depth] for name in self.readings)
        return reduce(np.logical_and, (codes > UNJUDGED for codes in levels))

    @cached_property
    def retrieved(self) -> Bools:
        """[row, rank]: whether there is a document."""
        return np.asarray(np.arange(self.depth) < self.length[:, None])

    @cached_property
    def judged_places(self) -> Places:
        """Row, rank (from 0) and gain of every judged document, sorted by row and rank.

        In a real campaign they are about 3 % of all documents, so this saves most of the work.
        """
        if self.override is not None:
            row, rank = np.nonzero(self.judged)
            return row, rank, self.override[row, rank]
        key = ("labelled", tuple(self.readings.items()), self.mix, self.scenario, self.cut)
        return self.gains.compute_once(key, self._find_judged)

    def _find_judged(self) -> Places:
        if self.cut is not None:  # a subset of those of the whole ranking
            places_ = self.under(self.scenario).judged_places
            return places.select(places_, places_[1] < self.cut)
        levels = [self.gains.dimensions[name].codes for name in self.readings]
        key = ("judged", tuple(self.readings))
        row, rank, codes = self.gains.compute_once(key, lambda: places.judged_places(levels))
        parts = [self._worth(n)[c] for n, c in zip(self.readings, codes, strict=True)]
        return row, rank, self.mix.function(parts, self.mix.weights)

    @property
    def hits(self) -> tuple[Ints, Ints]:
        """Row and rank (from 0) of every document with a gain, sorted by row and rank."""
        return self._hit_places[:2]

    @property
    def hit_gains(self) -> Floats:
        return self._hit_places[2]

    @cached_property
    def _hit_places(self) -> Places:
        if not self.sparse:
            row, rank = np.nonzero(self.gain > 0)
            return row, rank, self.gain[row, rank]
        places_ = self.judged_places if self.cut is None else self.under("value")._hit_places
        selection = places_[2] > 0 if self.cut is None else places_[1] < self.cut
        key = ("gaining", tuple(self.readings.items()), self.cut)
        return self.gains.compute_once(key, lambda: places.select(places_, selection))

    @property
    def sparse(self) -> bool:
        """Whether only judged documents have a gain."""
        return self.scenario == "value" and self.override is None and self.mix is PRODUCT

    def spread(self, row: Ints, rank: Ints, values: Floats) -> Floats:
        """[row, rank]: the values at the given rows and ranks, 0 elsewhere."""
        table = np.zeros((len(self.length), self.depth))
        table[row, rank] = values
        return table

    def sums(self, row: Ints, values: Floats) -> Floats:
        """[row]: the sum of the values of each row, added in their order."""
        return np.bincount(row, weights=values, minlength=len(self.gains.topic)).astype(float)

    @cached_property
    def total(self) -> Floats:
        """[row]: the sum of the gains."""
        if self.sparse:
            row, _, gain = self._hit_places
            return self.sums(row, gain)
        return np.asarray(self.gain.sum(axis=1))

    def weighted(self, weights: Floats) -> Floats:
        """[row]: the sum of the gains, each multiplied by the weight of its rank."""
        if self.sparse:
            row, rank, gain = self._hit_places
            return self.sums(row, gain * weights[rank])
        return np.asarray(self.gain @ weights)

    @property
    def length(self) -> Ints:
        """[row]: documents retrieved, within the cut."""
        return self.gains.length if self.cut is None else np.minimum(self.gains.length, self.cut)

    @property
    def score(self) -> Floats:
        """[row, rank]: the system's own scores; NaN past the end."""
        if self.gains.score is None:
            raise ValueError("this measure needs the systems' scores")
        return self.gains.score[:, : self.depth]

    @property
    def topic(self) -> Ints:
        """[row]: the number of the row's topic."""
        return self.gains.topic

    @property
    def beyond(self) -> float:
        """The gain assumed at ranks past the end: 0 except in the upper scenario."""
        return self.best if self.scenario == "upper" and not self.gains.ended else 0.0

    @cached_property
    def best(self) -> float:
        """The gain of a perfect document."""
        falling = self.mix.falling
        ends = [np.array([0.0 if n in falling else self._read(n)[1]]) for n in self.readings]
        return float(self.mix.function(ends, self.mix.weights)[0])

    @cached_property
    def subtopics(self) -> tuple["View", ...]:
        """The view of each subtopic; without subtopics, only this view itself."""
        parts = self.gains.subtopics
        if parts[0] is self.gains:
            return (self,)
        views = (part.view(self.readings, mix=self.mix, scenario=self.scenario) for part in parts)
        return tuple(view.at(self.cut) for view in views)

    @cached_property
    def chances(self) -> Floats:
        """[topic, subtopic]: P(s) from the campaign, or equal for subtopics with a judged gain."""
        return self.gains.compute_once(("chances", tuple(self.readings.items())), self._chances)

    def _chances(self) -> Floats:
        for name, reading in self.readings.items():
            dimension = self.gains.dimensions[name]
            if dimension.subtopics.shape[1]:
                parts = (part.view({name: reading}) for part in self.gains.subtopics)
                relevant = np.stack([part.ideal[:, 0] > 0 for part in parts], axis=1)
                alike = relevant / np.maximum(relevant.sum(axis=1, keepdims=True), 1)
                return np.where(np.isnan(dimension.chances), alike, dimension.chances)
        return np.ones((len(self.gains.topics), len(self.gains.subtopics)))

    @cached_property
    def ideal(self) -> Floats:
        """[topic, n]: the gains of the topic's judged documents in descending order, then 0."""
        key, topics = ("ideal", tuple(self.readings.items()), self.mix), len(self.gains.topics)
        return self.gains.compute_once(key, lambda: best_first(*self.judgements[::2], topics))

    @cached_property
    def unjudged(self) -> Ints:
        """[row]: unjudged documents in the whole ranking that could have a gain."""
        return np.asarray((self.under("upper").gain > self.under("value").gain).sum(axis=1))

    @cached_property
    def relevant(self) -> Floats:
        """[row]: R, the number of judged documents with any gain, under the scenario."""
        return self.bounded_sum((self.ideal > 0).astype(float), 1.0)

    def bounded_sum(self, judged: Floats, extra: float) -> Floats:
        """[row]: the sum over judged documents [topic, n] under the scenario.

        Lower: each unjudged document of the ranking adds `extra`. Upper: none does, except one if
        the sum is 0 and the ranking has an unjudged document.
        """
        total: Floats = judged.sum(axis=1)[self.topic]
        if self.scenario == "lower":
            return total + extra * self.unjudged
        if self.scenario == "upper":
            return np.where((total == 0) & (self.unjudged > 0), extra, total)
        return total

    @cached_property
    def nonrelevant(self) -> Floats:
        """[row]: N, the number of the topic's judged documents without gain."""
        topic, _, worth = self.judgements
        count = np.bincount(topic[worth <= 0], minlength=len(self.gains.topics))
        return count[self.topic].astype(float)

    def ideal_sum(self, weights: Floats) -> Floats:
        """[row]: the weighted sum of the ideal gains, in the lower scenario unjudged ones first."""
        depth = len(weights)
        ideal = self.ideal[:, :depth]
        if self.scenario != "lower":
            return np.asarray((ideal @ weights[: ideal.shape[1]])[self.topic])
        ideal = np.pad(ideal, ((0, 0), (0, depth - ideal.shape[1])))
        shifted = np.arange(depth) - np.minimum(self.unjudged, depth)[:, None]
        later = ideal[self.topic[:, None], np.maximum(shifted, 0)]
        return np.asarray(np.where(shifted < 0, self.best, later) @ weights)

    def _read(self, name: str) -> tuple[Floats, float]:
        return self.gains.dimensions[name].read(self.readings[name])

    def _worth(self, name: str) -> Floats:
        """The gain of each level under the scenario."""
        worth, best = self._read(name)
        generous = (self.scenario == "upper") != (name in self.mix.falling)
        worth[UNJUDGED] = best if generous else 0.0
        return worth

    @property
    def judgements(self) -> tuple[Ints, NDArray[np.str_], Floats]:
        """Topic number, id and gain of all judged documents; a missing label counts as the worst.

        The documents of a topic are those with labels in the first dimension that has labels by
        topic. If the mix gives a gain to documents without a label there, all dimensions count.
        """
        dimensions = self.gains.dimensions
        names = sorted(self.readings, key=lambda n: bool((dimensions[n].judged_topic < 0).all()))
        if self._gains_without(names[0]):
            parts = [dimensions[name] for name in self.readings]
            topic, document = places.judged_documents(parts, topics=len(self.gains.topics))
            gains = [self._join(name, topic, document) for name in self.readings]
            return topic, document, self.mix.function(gains, self.mix.weights)
        base = dimensions[names[0]]
        topic, document = base.judged_topic, base.judged_document
        worth = {names[0]: self._read(names[0])[0][base.judged_level]}
        worth |= {name: self._join(name, topic, document) for name in names[1:]}
        mixed = self.mix.function([worth[name] for name in self.readings], self.mix.weights)
        if (topic < 0).any():  # labels without topics hold in every topic
            n = len(self.gains.topics)
            return np.repeat(np.arange(n), len(mixed)), np.tile(document, n), np.tile(mixed, n)
        return topic, document, mixed

    def _gains_without(self, name: str) -> bool:
        """Whether a document with the worst gain in one dimension can have a gain."""
        ends = [
            np.array([top if (other == name) == (other in self.mix.falling) else 0.0])
            for other in self.readings
            for top in [self._read(other)[1]]
        ]
        return len(self.readings) > 1 and float(self.mix.function(ends, self.mix.weights)[0]) > 0

    def _join(self, name: str, topic: Ints, document: NDArray[np.str_]) -> Floats:
        """The gains of documents in another dimension; the worst gain without a label."""
        other = self.gains.dimensions[name]
        levels, best = self._read(name)
        worst = best if name in self.mix.falling else 0.0
        return places.look_up(other, levels[other.judged_level], topic, document, worst=worst)
