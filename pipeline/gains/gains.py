"""Gains: rankings met with labels, as arrays; all a measure ever sees.

For each dimension an array [run x topic, rank] of level numbers, plus what each level is worth.
Level 0 stands for "no document here" (beyond the end of a list), level 1 for "not judged": its
worth is NaN until the very end, when a *scenario* decides (value: no gain; lower: no gain, and any
ideal holds the unjudged documents too; upper: full gain).
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
LASTING = ("ideal", "chances", "greedy", "documents")  # first words of keys to Gains.cache


@dataclass(frozen=True)
class Gains:
    """All dimensions a measure needs, over the same runs and topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: Ints  # [row]: the number of the row's topic; rows go by run, then topic
    length: Ints  # [row]: documents retrieved
    dimensions: Mapping[str, Dimension]
    score: Floats | None = None  # [row, rank]: what the system said; NaN beyond the end
    tie: Ints | None = None  # [row, rank]: number of the group of equal scores
    cost: Floats | None = None  # [row, rank]: what a user spends on each document
    usual_cost: float = 1.0  # of a document whose cost nobody knows, or behind the end
    sampled: Bools | None = None  # [row, rank]: in the pool, but not in the sample that was judged
    ended: bool = False  # whether nothing comes past the end of a list, even in the upper bound
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def view(
        self, wanted: Mapping[str, str], *, mix: Mix = PRODUCT, scenario: str = "value"
    ) -> "View":
        """What a measure sees: the wanted dimensions (name -> reading), mixed, at each rank."""
        key = (tuple(wanted.items()), mix, scenario)
        return self.once(key, lambda: View(self, dict(wanted), mix, scenario, None))

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What `make` makes, made once: many measures and cutoffs ask for the same."""
        if key not in self.cache:
            self.cache[key] = make()
        found: T = self.cache[key]
        return found

    @property
    def subtopics(self) -> tuple["Gains", ...]:
        """The same rankings, judged by each subtopic in turn; without subtopics, themselves."""
        most = max(one.subtopics.shape[1] for one in self.dimensions.values())
        return self.once("subtopics", lambda: tuple(map(self._subtopic, range(most)))) or (self,)

    def _subtopic(self, number: int) -> "Gains":
        dimensions = {name: one.subtopic(number) for name, one in self.dimensions.items()}
        return replace(self, dimensions=dimensions, cache={})

    @property
    def lasting(self) -> dict[Any, Any]:
        """Of what is kept, that which depends on judgements alone, not on rows or their order."""
        return {key: found for key, found in self.cache.items() if key[0] in LASTING}

    def rows(self, keep: Bools | Ints | slice) -> "Gains":
        """Only some rows, or some of them several times; a slice of them is not copied."""
        return self._changed(
            lambda values: values[keep], topic=self.topic[keep], length=self.length[keep]
        )

    def reordered(self, order: Ints, *, tied: bool = False) -> "Gains":
        """The same documents in another order, given per row.

        `tied`: only documents with one score change places, so the scores stay where they are.
        """
        same = {"score": self.score, "tie": self.tie} if tied else {}
        return self._changed(lambda values: np.take_along_axis(values, order, axis=1), **same)

    def _changed(self, change: Callable[[NDArray[Any]], NDArray[Any]], **others: Any) -> "Gains":
        """Every array of [row, rank] changed alike; `others` are given."""
        dimensions = {n: replace(d, codes=change(d.codes)) for n, d in self.dimensions.items()}
        for name in ("score", "tie", "cost", "sampled"):
            values = getattr(self, name)
            others.setdefault(name, None if values is None else change(values))
        return replace(self, **others, dimensions=dimensions, cache=self.lasting)

    def condensed(self, by: str) -> "Gains":
        """The rankings without the documents that dimension `by` does not know (trec_eval -J)."""
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
    """Gains of some dimensions under one scenario; what a measure is a function of."""

    gains: Gains
    wanted: Mapping[str, str]
    mix: Mix
    scenario: str
    cut: int | None
    given: Floats | None = None  # gains to see instead, such as averages over ties

    def at(self, cut: int | None) -> "View":
        """The same, of the first `cut` ranks."""
        return self if cut == self.cut else replace(self, cut=cut)

    def under(self, scenario: str) -> "View":
        """The same of the whole list, under another scenario."""
        return self.gains.view(self.wanted, mix=self.mix, scenario=scenario)

    @cached_property
    def depth(self) -> int:
        """How many ranks there are at most."""
        full: int = next(iter(self.gains.dimensions.values())).codes.shape[1]
        return full if self.cut is None else min(full, self.cut)

    @cached_property
    def gain(self) -> Floats:
        """[row, rank]: gain at each rank, 0 beyond the end of the list."""
        if self.given is not None:
            return self.given[:, : self.depth]
        parts = [
            self._worth(name)[self.gains.dimensions[name].codes[:, : self.depth]]
            for name in self.wanted
        ]
        mixed = self.mix.function(parts, self.mix.weights)
        # A mix may give nothing at all some worth (no harm in it), but no document has none.
        return mixed if self.mix is PRODUCT else np.where(self.retrieved, mixed, 0.0)

    @cached_property
    def judged(self) -> Bools:
        """[row, rank]: whether every wanted dimension was judged."""
        every = (self.gains.dimensions[name].codes[:, : self.depth] for name in self.wanted)
        return reduce(np.logical_and, (codes > UNJUDGED for codes in every))

    @cached_property
    def retrieved(self) -> Bools:
        """[row, rank]: whether there is a document."""
        return np.asarray(np.arange(self.depth) < self.length[:, None])

    @cached_property
    def labelled(self) -> Places:
        """Row, rank (from 0) and gain of every judged document, row by row, rank by rank.

        A thirtieth of all documents in a real campaign: what only concerns them is done on these.
        """
        if self.given is not None:
            row, rank = np.nonzero(self.judged)
            return row, rank, self.given[row, rank]
        key = ("labelled", tuple(self.wanted.items()), self.mix, self.scenario, self.cut)
        return self.gains.once(key, self._labelled)

    def _labelled(self) -> Places:
        if self.cut is not None:  # some of those of the whole list
            whole = self.under(self.scenario).labelled
            return places.picked(whole, whole[1] < self.cut)
        every = [self.gains.dimensions[name].codes for name in self.wanted]
        key = ("judged", tuple(self.wanted))
        row, rank, codes = self.gains.once(key, lambda: places.judged_places(every))
        parts = [self._worth(n)[c] for n, c in zip(self.wanted, codes, strict=True)]
        return row, rank, self.mix.function(parts, self.mix.weights)

    @property
    def hits(self) -> tuple[Ints, Ints]:
        """Row and rank (from 0) of every document with a gain, row by row, rank by rank."""
        return self._gaining[:2]

    @property
    def gained(self) -> Floats:
        """The gains of `hits`."""
        return self._gaining[2]

    @cached_property
    def _gaining(self) -> Places:
        if not self.sparse:
            row, rank = np.nonzero(self.gain > 0)
            return row, rank, self.gain[row, rank]
        whole = self.labelled if self.cut is None else self.under("value")._gaining
        kept = whole[2] > 0 if self.cut is None else whole[1] < self.cut
        key = ("gaining", tuple(self.wanted.items()), self.cut)
        return self.gains.once(key, lambda: places.picked(whole, kept))

    @property
    def sparse(self) -> bool:
        """Whether only judged documents have a gain."""
        return self.scenario == "value" and self.given is None and self.mix is PRODUCT

    def spread(self, row: Ints, rank: Ints, values: Floats) -> Floats:
        """[row, rank]: values given for some places, 0 elsewhere."""
        table = np.zeros((len(self.length), self.depth))
        table[row, rank] = values
        return table

    def sums(self, row: Ints, values: Floats) -> Floats:
        """[row]: the sum of values given for some places, added in their order."""
        return np.bincount(row, weights=values, minlength=len(self.gains.topic)).astype(float)

    @cached_property
    def total(self) -> Floats:
        """[row]: the sum of the gains."""
        if self.sparse:
            row, _, gain = self._gaining
            return self.sums(row, gain)
        return np.asarray(self.gain.sum(axis=1))

    def weighted(self, weights: Floats) -> Floats:
        """[row]: the sum of the gains, each times the weight of its rank."""
        if self.sparse:
            row, rank, gain = self._gaining
            return self.sums(row, gain * weights[rank])
        return np.asarray(self.gain @ weights)

    @property
    def length(self) -> Ints:
        """Documents per list, within the cut."""
        return self.gains.length if self.cut is None else np.minimum(self.gains.length, self.cut)

    @property
    def score(self) -> Floats:
        """[row, rank]: the system's own scores; NaN beyond the end."""
        if self.gains.score is None:
            raise ValueError("this measure needs the systems' scores")
        return self.gains.score[:, : self.depth]

    @property
    def topic(self) -> Ints:
        """[row]: the number of the row's topic."""
        return self.gains.topic

    @property
    def beyond(self) -> float:
        """The gain supposed for what a list does not show: only the upper bound grants any."""
        return self.best if self.scenario == "upper" and not self.gains.ended else 0.0

    @cached_property
    def best(self) -> float:
        """The gain of a perfect document."""
        falling = self.mix.falling
        ends = [np.array([0.0 if n in falling else self._read(n)[1]]) for n in self.wanted]
        return float(self.mix.function(ends, self.mix.weights)[0])

    @cached_property
    def subtopics(self) -> tuple["View", ...]:
        """What it is of each subtopic; of gains without subtopics, itself."""
        parts = self.gains.subtopics
        if parts[0] is self.gains:
            return (self,)
        return tuple(
            part.view(self.wanted, mix=self.mix, scenario=self.scenario).at(self.cut)
            for part in parts
        )

    @cached_property
    def chances(self) -> Floats:
        """[topic, subtopic]: P(s), as given, or alike for all subtopics with a judged gain.

        Unjudged documents add no subtopic: what is known to be asked is all that is asked.
        """
        key = ("chances", tuple(self.wanted.items()))
        return self.gains.once(key, self._chances)

    def _chances(self) -> Floats:
        for name, reading in self.wanted.items():
            dimension = self.gains.dimensions[name]
            if dimension.subtopics.shape[1]:
                parts = (part.view({name: reading}) for part in self.gains.subtopics)
                known = np.stack([part.ideal[:, 0] > 0 for part in parts], axis=1)
                alike = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
                return np.where(np.isnan(dimension.chances), alike, dimension.chances)
        return np.ones((len(self.gains.topics), len(self.gains.subtopics)))

    @cached_property
    def ideal(self) -> Floats:
        """[topic, n]: the gains of a topic's judged documents, best first, then 0."""
        key, topics = ("ideal", tuple(self.wanted.items()), self.mix), len(self.gains.topics)
        return self.gains.once(key, lambda: best_first(*self.judgements[::2], topics))

    @cached_property
    def unjudged(self) -> Ints:
        """[row]: unjudged documents in the whole list that could have a gain."""
        open_ = self.under("upper").gain > self.under("value").gain
        return np.asarray(open_.sum(axis=1))

    @cached_property
    def relevant(self) -> Floats:
        """[row]: R, the judged documents with any gain, as far as the scenario goes."""
        return self.supposed((self.ideal > 0).astype(float), 1.0)

    def supposed(self, judged: Floats, each: float) -> Floats:
        """[row]: what judged documents [topic, n] sum up to, as far as the scenario goes.

        Lower: every unjudged document of the list might add `each`. Upper: none, but one where an
        unjudged document could be the only one.
        """
        total: Floats = judged.sum(axis=1)[self.topic]
        if self.scenario == "lower":
            return total + each * self.unjudged
        if self.scenario == "upper":
            return np.where((total == 0) & (self.unjudged > 0), each, total)
        return total

    @cached_property
    def nonrelevant(self) -> Floats:
        """[row]: N, the topic's judged documents without gain."""
        topic, _, worth = self.judgements
        none = np.bincount(topic[worth <= 0], minlength=len(self.gains.topics))
        return none[self.topic].astype(float)

    def ideal_sum(self, weights: Floats) -> Floats:
        """[row]: what the best ranking there could be gains, each rank with its weight.

        Lower: unjudged documents come first, as many as the list has.
        """
        depth = len(weights)
        ideal = self.ideal[:, :depth]
        if self.scenario != "lower":
            best: Floats = ideal @ weights[: ideal.shape[1]]
            return best[self.topic]
        ideal = np.pad(ideal, ((0, 0), (0, depth - ideal.shape[1])))
        shifted = np.arange(depth) - np.minimum(self.unjudged, depth)[:, None]
        later = ideal[self.topic[:, None], np.maximum(shifted, 0)]
        return np.asarray(np.where(shifted < 0, self.best, later) @ weights)

    def _read(self, name: str) -> tuple[Floats, float]:
        return self.gains.dimensions[name].read(self.wanted[name])

    def _worth(self, name: str) -> Floats:
        """What each level gains under the scenario."""
        worth, best = self._read(name)
        generous = (self.scenario == "upper") != (name in self.mix.falling)
        worth[UNJUDGED] = best if generous else 0.0
        return worth

    @property
    def judgements(self) -> tuple[Ints, NDArray[np.str_], Floats]:
        """Topic number, id and gain of everything judged; unjudged in one dimension gains nothing.

        The first wanted dimension that is keyed by topic says which documents a topic has, unless
        the mix lets a document gain that has no label there: then every dimension does.
        """
        dimensions = self.gains.dimensions
        names = sorted(self.wanted, key=lambda n: bool((dimensions[n].judged_topic < 0).all()))
        if self._gains_without(names[0]):
            wanted = [dimensions[name] for name in self.wanted]
            topic, document = places.judged_anywhere(wanted, topics=len(self.gains.topics))
            every = [self._join(name, topic, document) for name in self.wanted]
            return topic, document, self.mix.function(every, self.mix.weights)
        base = dimensions[names[0]]
        topic, document = base.judged_topic, base.judged_document
        worth = {names[0]: self._read(names[0])[0][base.judged_level]}
        worth |= {name: self._join(name, topic, document) for name in names[1:]}
        mixed = self.mix.function([worth[name] for name in self.wanted], self.mix.weights)
        if (topic < 0).any():  # a dimension without topics: its documents count in every topic
            n = len(self.gains.topics)
            each = np.repeat(np.arange(n), len(mixed))
            return each, np.tile(document, n), np.tile(mixed, n)
        return topic, document, mixed

    def _gains_without(self, name: str) -> bool:
        """Whether a document that is worst in one dimension can still gain."""
        ends = [
            np.array([top if (other == name) == (other in self.mix.falling) else 0.0])
            for other in self.wanted
            for top in [self._read(other)[1]]
        ]
        return len(self.wanted) > 1 and float(self.mix.function(ends, self.mix.weights)[0]) > 0

    def _join(self, name: str, topic: Ints, document: NDArray[np.str_]) -> Floats:
        """Gains in another dimension of the given documents; the worst where it has no label."""
        other = self.gains.dimensions[name]
        levels, best = self._read(name)
        worst = best if name in self.mix.falling else 0.0
        return places.matched(other, levels[other.judged_level], topic, document, worst=worst)
