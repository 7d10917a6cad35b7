"""What differs between two states: labels, scores, ranks, and which runs are told apart."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.errors import InputError
from pipeline.report.changes.state import Label, Place, State
from pipeline.statistics.ranks import ranks_of
from pipeline.storage.arrays import Floats
from pipeline.storage.text import natural

SAME = 5e-13  # as tied means are


@dataclass(frozen=True)
class LabelChange:
    """A label that was added (no `before`), removed (no `after`) or changed."""

    dimension: str
    topic: str  # empty: of the document in every topic
    document: str
    before: Label | None
    after: Label | None

    @property
    def kind(self) -> str:
        """In a word."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"


@dataclass(frozen=True)
class Move:
    """A run under one measure, among the runs of both states."""

    measure: str
    run: str
    before: float
    after: float
    rank_before: int
    rank_after: int

    @property
    def change(self) -> float:
        """How much more it scores."""
        return self.after - self.before

    @property
    def climb(self) -> int:
        """Places won; negative when lost."""
        return self.rank_before - self.rank_after


@dataclass(frozen=True)
class Pair:
    """Two runs one state tells apart and the other does not, or the other way round."""

    measure: str
    better: str  # of those told apart; now, if they are now
    worse: str
    kind: str  # "now", "no more" or "reversed"


@dataclass(frozen=True)
class Changes:
    """Two states of one campaign."""

    before: State
    after: State
    alpha: float

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """What both states measured."""
        old = self.before.means.measures
        return tuple(name for name in self.after.means.measures if name in old)

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """The runs of both states."""
        old = set(self.before.means.runs)
        return tuple(run for run in self.after.means.runs if run in old)

    def only(self, part: str, which: str) -> tuple[str, ...]:
        """The runs or measures that only one state ("before" or "after") has."""
        one, other = (self.before, self.after) if which == "before" else (self.after, self.before)
        known = set(getattr(other.means, part))
        return tuple(name for name in getattr(one.means, part) if name not in known)

    @cached_property
    def labels(self) -> tuple[LabelChange, ...]:
        """Every label that is not as it was, by dimension, topic and document."""
        found = []
        for dimension in dict.fromkeys((*self.after.labels, *self.before.labels)):
            old = self.before.labels.get(dimension, {})
            new = self.after.labels.get(dimension, {})
            for place in sorted({*old, *new}, key=_natural):
                was, now = old.get(place), new.get(place)
                if was is None or not was.same(now):
                    found.append(LabelChange(dimension, *place, was, now))
        return tuple(found)

    def counts(self) -> Iterator[tuple[str, str, Counter[str]]]:
        """By dimension and topic, how many labels were added, removed and changed."""
        table: dict[tuple[str, str], Counter[str]] = {}
        for one in self.labels:
            table.setdefault((one.dimension, one.topic), Counter())[one.kind] += 1
        for (dimension, topic), count in table.items():
            yield dimension, topic, count

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every run of both states under every measure of both, in order of now."""
        found = []
        for measure in self.measures:
            old, new = (_of(state, measure, self.runs) for state in (self.before, self.after))
            was, now = ranks_of(old), ranks_of(new)
            rows = zip(self.runs, old.tolist(), new.tolist(), was, now, strict=True)
            moved = [Move(measure, *row) for row in rows]
            found += sorted(moved, key=lambda move: (move.rank_after, natural(move.run)))
        return tuple(found)

    def of(self, measure: str) -> list[Move]:
        """The moves under one measure."""
        return [move for move in self.moves if move.measure == measure]

    def moved(self, measure: str) -> list[Move]:
        """The runs whose mean is not what it was, those that moved furthest first."""
        some = [move for move in self.of(measure) if abs(move.change) > SAME]
        return sorted(some, key=lambda move: (-abs(move.climb), -abs(move.change)))

    def furthest(self, measure: str) -> list[Move]:
        """The runs that changed their rank most: all of them, if several did so alike."""
        most = max((abs(move.climb) for move in self.of(measure)), default=0)
        return [move for move in self.of(measure) if most and abs(move.climb) == most]

    def topics(self, measure: str) -> list[tuple[str, float, float]]:
        """The topics whose mean over the runs of both states moved: before and now, most first."""
        old, new = (_by_topic(state, measure, self.runs) for state in (self.before, self.after))
        both = [(topic, old[topic], new[topic]) for topic in new if topic in old]
        moved = [one for one in both if abs(one[2] - one[1]) > SAME]
        return sorted(moved, key=lambda one: (-abs(one[2] - one[1]), natural(one[0])))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of runs that one state tells apart and the other does not, or otherwise."""
        found = []
        for measure in self.measures:
            old = self.before.apart(measure, alpha=self.alpha)
            new = self.after.apart(measure, alpha=self.alpha)
            for pair in sorted(old.keys() & new.keys()):
                was, now = old[pair], new[pair]
                if was == now:
                    continue
                better, worse = pair if (now or was) > 0 else pair[::-1]
                kind = "reversed" if was and now else "now" if now else "no more"
                found.append(Pair(measure, better, worse, kind))
        return tuple(found)


def compared(before: State, after: State, *, alpha: float) -> Changes:
    """The two states, if they are of one campaign."""
    made = Changes(before, after, alpha)
    for what, both in (("run", made.runs), ("measure", made.measures)):
        if not both:
            raise InputError(
                f"report.against: {before.folder} has no {what} of this campaign; it is of another "
                "one, name an earlier state of this one"
            )
    if not before.labels.keys() & after.labels.keys():
        raise InputError(
            f"report.against: {before.folder} has labels of {', '.join(before.labels)}, none of "
            "them a dimension here; name an earlier state of this campaign"
        )
    return made


def _natural(place: Place) -> tuple[object, object]:
    return natural(place[0]), natural(place[1])


def _by_topic(state: State, measure: str, runs: Sequence[str]) -> dict[str, float]:
    table = state.scores(measure)
    mine = [table.runs.index(run) for run in runs]
    return dict(zip(table.topics, table.values[mine].mean(axis=0).tolist(), strict=True))


def _of(state: State, measure: str, runs: Sequence[str]) -> Floats:
    column = dict(zip(state.means.runs, state.means.column(measure).tolist(), strict=True))
    return np.array([column[run] for run in runs])
