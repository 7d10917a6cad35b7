"""Gains: rankings met with labels, as arrays; all a measure ever sees.

For each dimension an array [run x topic, rank] of level numbers, plus what each level is worth.
Level 0 stands for "no document here" (beyond the end of a list), level 1 for "not judged": its
worth is NaN until the very end, when a *scenario* decides (value: no gain; lower: no gain, and any
ideal holds the unjudged documents too; upper: full gain).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NOTHING, UNJUDGED = 0, 1
KINDS = ("binary", "gain", "label")
SCENARIOS = ("value", "lower", "upper")


@dataclass(frozen=True)
class Dimension:
    """One dimension of relevance: levels found at each rank, and all that was judged."""

    codes: NDArray[Any]  # [run x topic, depth]; bytes, or int32 when there are many levels
    worth: Floats  # [level, kind]; NaN for unjudged
    judged_topic: Ints  # -1: judged for every topic
    judged_document: NDArray[np.str_]
    judged_level: Ints

    def best(self, kind: str) -> float:
        """The most an unjudged document could be worth."""
        if kind != "label":
            return 1.0
        return float(np.nanmax(self.worth[:, KINDS.index(kind)], initial=0.0))


@dataclass(frozen=True)
class Gains:
    """All dimensions a measure needs, over the same runs and topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    length: Ints
    dimensions: Mapping[str, Dimension]

    def view(
        self, wanted: Mapping[str, str], *, scenario: str = "value", depth: int | None = None
    ) -> "View":
        """What a measure sees: the product of the wanted dimensions (name -> kind) at each rank."""
        return View(self, dict(wanted), scenario, depth)

    def condensed(self, by: str) -> "Gains":
        """The rankings without the documents that dimension `by` does not know (trec_eval -J)."""
        judged = self.dimensions[by].codes > UNJUDGED
        order = np.argsort(~judged, axis=1, kind="stable")
        length = judged.sum(axis=1)
        beyond = np.arange(judged.shape[1]) >= length[:, None]

        def squeeze(dimension: Dimension) -> Dimension:
            codes = np.take_along_axis(dimension.codes, order, axis=1)
            codes[beyond] = NOTHING
            return replace(dimension, codes=codes)

        squeezed = {name: squeeze(d) for name, d in self.dimensions.items()}
        return replace(self, length=length, dimensions=squeezed)


def read(paths: Mapping[str, Path], *, unjudged: str = "zero") -> Gains:
    """Read the gains of the named dimensions; `unjudged` is the policy zero or condensed.

    Condensed lists drop what the first dimension does not know.
    """
    rows: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # runs, topics
    dimensions: dict[str, Dimension] = {}
    for name, path in paths.items():
        with np.load(path) as stored:
            here = tuple(stored["runs"].tolist()), tuple(stored["topics"].tolist())
            if rows is not None and here != rows:
                raise InputError(f"{path}: made from other runs or topics; remove it and run again")
            rows = here
            length = stored["length"].astype(np.int64)
            dimensions[name] = Dimension(
                stored["codes"],
                stored["worth"],
                stored["judged_topic"].astype(np.int64),
                stored["judged_document"],
                stored["judged_level"].astype(np.int64),
            )
    if rows is None:
        raise ValueError("gains.read needs at least one dimension")
    gains = Gains(*rows, length, dimensions)
    return gains.condensed(next(iter(paths))) if unjudged == "condensed" else gains


@dataclass(frozen=True)
class View:
    """Gains of some dimensions under one scenario; what a measure is a function of."""

    gains: Gains
    wanted: Mapping[str, str]
    scenario: str
    cut: int | None

    def at(self, cut: int | None) -> "View":
        """The same, of the first `cut` ranks."""
        return replace(self, cut=cut)

    @cached_property
    def depth(self) -> int:
        """How many ranks there are at most."""
        full: int = next(iter(self.gains.dimensions.values())).codes.shape[1]
        return full if self.cut is None else min(full, self.cut)

    @cached_property
    def gain(self) -> Floats:
        """[run x topic, rank]: gain at each rank, 0 beyond the end of the list."""
        product: Floats | None = None
        for name, kind in self.wanted.items():
            dimension = self.gains.dimensions[name]
            worth = self._worth(name, kind)[dimension.codes[:, : self.depth]]
            product = worth if product is None else product * worth
        assert product is not None
        return product

    @cached_property
    def judged(self) -> Bools:
        """[run x topic, rank]: whether every wanted dimension was judged."""
        known = np.ones((len(self.length), self.depth), bool)
        for name in self.wanted:
            known &= self.gains.dimensions[name].codes[:, : self.depth] != UNJUDGED
        return known & self.retrieved

    @cached_property
    def retrieved(self) -> Bools:
        """[run x topic, rank]: whether there is a document."""
        return np.asarray(np.arange(self.depth) < self.length[:, None])

    @property
    def length(self) -> Ints:
        """Documents per list, within the cut."""
        return self.gains.length if self.cut is None else np.minimum(self.gains.length, self.cut)

    @property
    def beyond(self) -> float:
        """The gain supposed for what a list does not show: only the upper bound grants any."""
        return self.best if self.scenario == "upper" else 0.0

    @cached_property
    def best(self) -> float:
        """The gain of a perfect document."""
        return float(
            np.prod([self.gains.dimensions[n].best(kind) for n, kind in self.wanted.items()])
        )

    @cached_property
    def topic(self) -> Ints:
        """[run x topic]: the number of the row's topic."""
        return np.tile(np.arange(len(self.gains.topics)), len(self.gains.runs))

    @cached_property
    def judgements(self) -> tuple[Ints, Floats]:
        """Topic number and gain of everything judged; unjudged in one dimension gains nothing.

        The first wanted dimension that is keyed by topic says which documents a topic has.
        """
        names = sorted(
            self.wanted, key=lambda n: bool((self.gains.dimensions[n].judged_topic < 0).all())
        )
        base = self.gains.dimensions[names[0]]
        topic, document = base.judged_topic, base.judged_document
        worth = self._judged_worth(names[0])[base.judged_level]
        for name in names[1:]:
            worth = worth * self._join(name, topic, document)
        if (topic < 0).any():  # a dimension without topics: its documents count in every topic
            n = len(self.gains.topics)
            topic, worth = np.repeat(np.arange(n), len(worth)), np.tile(worth, n)
        return topic, worth

    @cached_property
    def ideal(self) -> Floats:
        """[topic, n]: the gains of a topic's judged documents, best first, then 0."""
        topic, worth = self.judgements
        order = np.lexsort((-worth, topic))
        topic, worth = topic[order], worth[order]
        counts = np.bincount(topic, minlength=len(self.gains.topics))
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        table = np.zeros((len(counts), max(1, int(counts.max(initial=0)))))
        table[topic, np.arange(len(topic)) - first[topic]] = worth
        return table

    @cached_property
    def unjudged(self) -> Ints:
        """[run x topic]: unjudged documents in the whole list that could have a gain."""
        open_ = (
            replace(self, scenario="upper", cut=None).gain
            > replace(self, scenario="value", cut=None).gain
        )
        return np.asarray(open_.sum(axis=1))

    @cached_property
    def relevant(self) -> Floats:
        """[run x topic]: R, the judged documents with any gain, as far as the scenario goes.

        Lower: every unjudged document of the list might be one more. Upper: none, but at least one
        where an unjudged document could be the only one.
        """
        count: Floats = (self.ideal > 0).sum(axis=1)[self.topic].astype(float)
        if self.scenario == "lower":
            count = count + self.unjudged
        if self.scenario == "upper":
            count = np.maximum(count, self.unjudged > 0)
        return count

    def ideal_gain(self, depth: int) -> Floats:
        """[run x topic or topic, depth]: the best ranking there could be (see `relevant`)."""
        ideal = np.zeros((len(self.gains.topics), depth))
        have = min(depth, self.ideal.shape[1])
        ideal[:, :have] = self.ideal[:, :have]
        if self.scenario != "lower":
            return ideal[self.topic]
        shifted = np.arange(depth) - np.minimum(self.unjudged, depth)[:, None]
        return np.where(shifted < 0, self.best, ideal[self.topic[:, None], np.maximum(shifted, 0)])

    def _worth(self, name: str, kind: str) -> Floats:
        """What each level gains under the scenario."""
        dimension = self.gains.dimensions[name]
        worth: Floats = dimension.worth[:, KINDS.index(kind)].copy()
        worth[UNJUDGED] = dimension.best(kind) if self.scenario == "upper" else 0.0
        return worth

    def _judged_worth(self, name: str) -> Floats:
        worth: Floats = self.gains.dimensions[name].worth[:, KINDS.index(self.wanted[name])]
        return worth

    def _join(self, name: str, topic: Ints, document: NDArray[np.str_]) -> Floats:
        """Gains in another dimension of the given documents; 0 where it did not judge them."""
        other = self.gains.dimensions[name]
        worth = self._judged_worth(name)[other.judged_level]
        keys = zip(other.judged_topic.tolist(), other.judged_document.tolist(), strict=True)
        known = dict(zip(keys, worth.tolist(), strict=True))
        pairs = zip(topic.tolist(), document.tolist(), strict=True)
        return np.array([known.get((t, d), known.get((-1, d), 0.0)) for t, d in pairs])
