"""A version of a campaign's results: kept under a name, and read again to be compared."""

import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.labels.tables import EACH, subtopics_of
from pipeline.measures.measure import slug
from pipeline.results import Results
from pipeline.statistics.means import Means
from pipeline.statistics.ranks import ranks_of
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.text import natural

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Place = tuple[str, str]  # topic and document; topic "" where a label is of the document alone
Part = tuple[str, float, float, float]  # a subtopic, and what a document is to it


class Label(NamedTuple):
    """What a judged document is; judged by subtopic it has its best label, and one of `each`."""

    value: float  # as written
    binary: float
    gain: float
    each: tuple[Part, ...] = ()

    def __str__(self) -> str:
        """As people wrote it; by subtopic, those to which it is something."""
        told = [f"{name}: {value:g}" for name, value, binary, gain in self.each if binary or gain]
        return ", ".join(told) or f"{self.value:g}"

    def same(self, other: "Label | None") -> bool:
        """Whether nothing was judged otherwise; a subtopic nobody mentioned is as one not met."""
        if other is None or self.value != other.value:
            return False
        mine, theirs = ({part[0]: part[1:] for part in one.each} for one in (self, other))
        met = {part[0] for part in (*self.each, *other.each) if part[2] or part[3]}
        return all(mine.get(name) == theirs.get(name) for name in met | (mine.keys() & theirs))


class Version(Results):
    """The results in a folder, as far as a comparison asks for them."""

    @cached_property
    def run_means(self) -> Means:
        """The mean of every run under every measure."""
        return self.read_means()

    @cached_property
    def judged(self) -> Mapping[str, Mapping[Place, Label]]:
        """By dimension, what every judged document is."""
        return {name: dict(_labels(self.labels(name))) for name in self.dimensions}

    @cached_property
    def subtopics(self) -> Mapping[str, Mapping[str, Collection[str]]]:
        """By dimension and topic, the subtopics that documents were judged by, in their order."""
        return {n: subtopics_of(arrow.read(self.labels(n), ["topic"])) for n in self.dimensions}

    def means_of(self, runs: Sequence[str], measure: str) -> Floats:
        """The means of some runs."""
        means = self.run_means
        return means.column(measure)[[means.runs.index(run) for run in runs]]

    def topic_means(self, runs: Sequence[str], measure: str) -> dict[str, float]:
        """The mean over some runs, by topic."""
        table = self.read_scores(measure)
        rows = [table.runs.index(run) for run in runs]
        return dict(zip(table.topics, table.values[rows].mean(axis=0).tolist(), strict=True))

    def tested(self, measure: str, *, alpha: float) -> dict[tuple[str, str], int]:
        """Every two runs by name: 1 if the first is significantly better, -1 the second, else 0."""
        path = self.significance(slug(measure))
        found = {}
        for row in self.read_table(path) if path.is_file() else ():
            sign = int(np.sign(float(row["difference"])) * (float(row["p_tukey"] or 1) <= alpha))
            a, b = row["run_a"], row["run_b"]
            found[min(a, b), max(a, b)] = sign if a < b else -sign
        return found


def _labels(path: Path) -> Iterator[tuple[Place, Label]]:
    places, kinds = ("topic", "document"), ("label", "binary", "gain")
    table = arrow.read(path)
    known = subtopics_of(table)
    columns = [table[name].to_pylist() for name in (*places, *kinds)]
    lists = [table[EACH.format(kind)].to_pylist() for kind in kinds] if known else []
    for at, (topic, document, *label) in enumerate(zip(*columns, strict=True)):
        if label[0] is not None and label[0] == label[0]:
            parts = (one[at] for one in lists)
            each = tuple(zip(known[topic], *parts, strict=True)) if known else ()
            yield (topic or "", document), Label(label[0], label[1], label[2], each)


def check_keepable(results: Results, name: str) -> None:
    """Refuse to keep a campaign's results under a name that is taken, or before there are any."""
    kept = results.kept(name).folder
    if not NAME.fullmatch(name):
        what = f"'{name}' cannot be the name of a folder"
        fix = "start with a letter or digit and use only letters, digits, '.', '_' and '-'"
        raise InputError(Problem("NAME", what, fix))
    if kept.exists():
        raise InputError(Problem(kept, "it exists", "choose another name, or remove it first"))
    try:
        results.check_comparable()
    except InputError:
        what = "there is nothing to keep yet"
        raise InputError(Problem(results.folder, what, "run the campaign first")) from None


def keep(results: Results, name: str) -> Path:
    """Copy what a comparison needs of a campaign's results under a name, whole or not at all."""
    check_keepable(results, name)
    out = results.kept(name).folder
    with atomic_folder(out) as draft:
        for path in results.kept_files():
            place = draft / path.relative_to(results.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
    return out


SAME = 5e-13  # as tied means are


class LabelChange(NamedTuple):
    """A label that was added (no `before`), removed (no `after`) or changed."""

    dimension: str
    topic: str  # empty: of the document in every topic
    document: str
    before: Label | None
    after: Label | None

    @property
    def kind(self) -> str:
        return "added" if self.before is None else "removed" if self.after is None else "changed"


class Move(NamedTuple):
    """A run under one measure, among the runs of both versions."""

    run: str
    before: float
    after: float
    rank_before: int
    rank_after: int

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def climb(self) -> int:
        """Places won; negative when lost."""
        return self.rank_before - self.rank_after


class Pair(NamedTuple):
    """Two runs that differ significantly in one version alone, or in both the other way round."""

    measure: str
    better: str  # now, if they differ now
    worse: str
    kind: str  # "now", "no more" or "reversed"


@dataclass(frozen=True)
class Changes:
    """Two versions of one campaign."""

    before: Version
    after: Version
    alpha: float

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of both versions."""
        old = self.before.run_means.measures
        return tuple(name for name in self.after.run_means.measures if name in old)

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """The runs of both versions."""
        old = set(self.before.run_means.runs)
        return tuple(run for run in self.after.run_means.runs if run in old)

    @cached_property
    def labels(self) -> tuple[LabelChange, ...]:
        """Every label that is not as it was, by dimension, topic and document."""
        found = []
        for dimension in dict.fromkeys((*self.after.judged, *self.before.judged)):
            old, new = (one.judged.get(dimension, {}) for one in (self.before, self.after))
            for place in sorted({*old, *new}, key=lambda place: [*map(natural, place)]):
                was, now = old.get(place), new.get(place)
                if was is None or not was.same(now):
                    found.append(LabelChange(dimension, *place, was, now))
        return tuple(found)

    @cached_property
    def moves(self) -> dict[str, list[Move]]:
        """By measure, every run of both versions, in order of now."""
        found = {}
        for measure in self.measures:
            old, new = (one.means_of(self.runs, measure) for one in (self.before, self.after))
            columns = (self.runs, old.tolist(), new.tolist(), ranks_of(old), ranks_of(new))
            moves = [Move(*row) for row in zip(*columns, strict=True)]
            found[measure] = sorted(moves, key=lambda m: (m.rank_after, natural(m.run)))
        return found

    def moved(self, measure: str) -> list[Move]:
        """The runs whose mean is not what it was, those that moved furthest first."""
        some = [move for move in self.moves[measure] if abs(move.change) > SAME]
        return sorted(some, key=lambda move: (-abs(move.climb), -abs(move.change)))

    def furthest(self, measure: str) -> list[Move]:
        """The runs that changed their rank most: all of them, if several did so alike."""
        most = max((abs(move.climb) for move in self.moves[measure]), default=0)
        return [move for move in self.moves[measure] if most and abs(move.climb) == most]

    def topics(self, measure: str) -> list[tuple[str, float, float]]:
        """The topics whose mean over the runs of both moved: before and now, the most first."""
        old, new = (one.topic_means(self.runs, measure) for one in (self.before, self.after))
        both = [(topic, old[topic], new[topic]) for topic in new if topic in old]
        moved = [one for one in both if abs(one[2] - one[1]) > SAME]
        return sorted(moved, key=lambda one: (-abs(one[2] - one[1]), natural(one[0])))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of runs whose significant difference came, went or turned round."""
        found = []
        for measure in self.measures:
            old, new = (v.tested(measure, alpha=self.alpha) for v in (self.before, self.after))
            for pair in sorted(old.keys() & new.keys()):
                was, now = old[pair], new[pair]
                if was != now:
                    better, worse = pair if (now or was) > 0 else pair[::-1]
                    kind = "reversed" if was and now else "now" if now else "no more"
                    found.append(Pair(measure, better, worse, kind))
        return tuple(found)


def compared(before: Version, after: Version, *, alpha: float) -> Changes:
    """The two versions, if they are of one campaign."""
    changes = Changes(before, after, alpha)
    dimensions = before.judged.keys() & after.judged.keys()
    shared = {"run": changes.runs, "measure": changes.measures, "judged dimension": dimensions}
    for what, both in shared.items():
        if not both:
            lack = f"{before.folder} has no {what} of this campaign"
            fix = "name an earlier version of this campaign's results"
            raise InputError(Problem("report.against", lack, fix))
    return changes
