"""Versions of the results of a campaign: keeping one under a name, and comparing two."""

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

Place = tuple[str, str]  # topic and document; topic "" for a label by document alone
SubtopicLabel = tuple[str, float, float, float]  # subtopic, label, binary gain, graded gain


class JudgedLabel(NamedTuple):
    """The label of a document; with subtopics, the best label, and the labels of `each`."""

    value: float  # as in the label file
    binary: float
    gain: float
    each: tuple[SubtopicLabel, ...] = ()

    def __str__(self) -> str:
        """The label; with subtopics, those with a gain."""
        parts = [f"{name}: {value:g}" for name, value, binary, gain in self.each if binary or gain]
        return ", ".join(parts) or f"{self.value:g}"

    def same(self, other: "JudgedLabel | None") -> bool:
        """Whether the labels are equal; a subtopic without a label equals one without gain."""
        if other is None or self.value != other.value:
            return False
        a, b = ({part[0]: part[1:] for part in label.each} for label in (self, other))
        with_gain = {part[0] for part in (*self.each, *other.each) if part[2] or part[3]}
        return all(a.get(name) == b.get(name) for name in with_gain | (a.keys() & b))


class Version(Results):
    """The results in a folder, as a comparison reads them."""

    @cached_property
    def run_means(self) -> Means:
        return self.read_means()

    @cached_property
    def judged(self) -> Mapping[str, Mapping[Place, JudgedLabel]]:
        """By dimension, the label of every judged document."""
        return {name: dict(_labels(self.labels(name))) for name in self.dimensions}

    @cached_property
    def subtopics(self) -> Mapping[str, Mapping[str, Collection[str]]]:
        """By dimension and topic, the judged subtopics, in their order."""
        return {n: subtopics_of(arrow.read(self.labels(n), ["topic"])) for n in self.dimensions}

    def means_of(self, runs: Sequence[str], measure: str) -> Floats:
        means = self.run_means
        return means.column(measure)[[means.runs.index(run) for run in runs]]

    def topic_means(self, runs: Sequence[str], measure: str) -> dict[str, float]:
        table = self.read_scores(measure)
        rows = [table.runs.index(run) for run in runs]
        return dict(zip(table.topics, table.values[rows].mean(axis=0).tolist(), strict=True))

    def tested(self, measure: str, *, alpha: float) -> dict[tuple[str, str], int]:
        """By pair of runs: 1 if the first is significantly better, -1 if the second is, else 0."""
        path = self.significance(slug(measure))
        signs = {}
        for row in self.read_table(path) if path.is_file() else ():
            sign = int(np.sign(float(row["difference"])) * (float(row["p_tukey"] or 1) <= alpha))
            a, b = row["run_a"], row["run_b"]
            signs[min(a, b), max(a, b)] = sign if a < b else -sign
        return signs


def _labels(path: Path) -> Iterator[tuple[Place, JudgedLabel]]:
    places, kinds = ("topic", "document"), ("label", "binary", "gain")
    table = arrow.read(path)
    subtopics = subtopics_of(table)
    columns = [table[name].to_pylist() for name in (*places, *kinds)]
    lists = [table[EACH.format(kind)].to_pylist() for kind in kinds] if subtopics else []
    for at, (topic, document, *label) in enumerate(zip(*columns, strict=True)):
        if label[0] is not None and label[0] == label[0]:
            parts = (column[at] for column in lists)
            each = tuple(zip(subtopics[topic], *parts, strict=True)) if subtopics else ()
            yield (topic or "", document), JudgedLabel(label[0], label[1], label[2], each)


def check_keepable(results: Results, name: str) -> None:
    """Raise an error if the name is invalid or taken, or if there are no results to keep."""
    kept = results.kept(name).folder
    if not NAME.fullmatch(name):
        what = f"'{name}' cannot be the name of a folder"
        fix = "start with a letter or digit and use only letters, digits, '.', '_' and '-'"
        raise InputError(Problem("NAME", what, fix))
    if kept.exists():
        fix = "choose another name, or remove the folder"
        raise InputError(Problem(kept, "a version of this name exists", fix))
    try:
        results.check_comparable()
    except InputError:
        what = "there are no results to keep"
        raise InputError(Problem(results.folder, what, "run the campaign first")) from None


def keep(results: Results, name: str) -> Path:
    """Copy the results that a comparison needs under a name, atomically."""
    check_keepable(results, name)
    out = results.kept(name).folder
    with atomic_folder(out) as draft:
        for path in results.kept_files():
            place = draft / path.relative_to(results.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
    return out


SAME = 5e-13  # means that differ by less are tied


class LabelChange(NamedTuple):
    """A label that was added (no `before`), removed (no `after`) or changed."""

    dimension: str
    topic: str  # empty: on every topic
    document: str
    before: JudgedLabel | None
    after: JudgedLabel | None

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
        """Ranks gained; negative when lost."""
        return self.rank_before - self.rank_after


class Pair(NamedTuple):
    """Two runs that differ significantly in one version only, or in opposite directions."""

    measure: str
    better: str  # in the current version, if they differ there
    worse: str
    kind: str  # "gained", "lost" or "reversed"


@dataclass(frozen=True)
class Changes:
    """Two versions of one campaign."""

    before: Version
    after: Version
    alpha: float

    @property
    def versions(self) -> tuple[Version, Version]:
        return self.before, self.after

    @cached_property
    def measures(self) -> tuple[str, ...]:
        old = self.before.run_means.measures
        return tuple(name for name in self.after.run_means.measures if name in old)

    @cached_property
    def runs(self) -> tuple[str, ...]:
        old = set(self.before.run_means.runs)
        return tuple(run for run in self.after.run_means.runs if run in old)

    @cached_property
    def labels(self) -> tuple[LabelChange, ...]:
        """Every changed label, by dimension, topic and document."""
        changes = []
        for dimension in dict.fromkeys((*self.after.judged, *self.before.judged)):
            old, new = (version.judged.get(dimension, {}) for version in self.versions)
            for place in sorted({*old, *new}, key=lambda place: [*map(natural, place)]):
                before, after = old.get(place), new.get(place)
                if before is None or not before.same(after):
                    changes.append(LabelChange(dimension, *place, before, after))
        return tuple(changes)

    @cached_property
    def moves(self) -> dict[str, list[Move]]:
        """By measure, every run of both versions, in the current order."""
        by_measure = {}
        for measure in self.measures:
            old, new = (version.means_of(self.runs, measure) for version in self.versions)
            columns = (self.runs, old.tolist(), new.tolist(), ranks_of(old), ranks_of(new))
            moves = [Move(*row) for row in zip(*columns, strict=True)]
            by_measure[measure] = sorted(moves, key=lambda m: (m.rank_after, natural(m.run)))
        return by_measure

    def moved(self, measure: str) -> list[Move]:
        """The runs whose mean changed, those with the largest change of rank first."""
        moves = [move for move in self.moves[measure] if abs(move.change) > SAME]
        return sorted(moves, key=lambda move: (-abs(move.climb), -abs(move.change)))

    def furthest(self, measure: str) -> list[Move]:
        """The runs with the largest change of rank, including ties."""
        most = max((abs(move.climb) for move in self.moves[measure]), default=0)
        return [move for move in self.moves[measure] if most and abs(move.climb) == most]

    def topics(self, measure: str) -> list[tuple[str, float, float]]:
        """The topics whose mean over the shared runs changed, before and after, most first."""
        old, new = (version.topic_means(self.runs, measure) for version in self.versions)
        both = [(topic, old[topic], new[topic]) for topic in new if topic in old]
        changed = [row for row in both if abs(row[2] - row[1]) > SAME]
        return sorted(changed, key=lambda row: (-abs(row[2] - row[1]), natural(row[0])))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        pairs = []
        for measure in self.measures:
            old, new = (version.tested(measure, alpha=self.alpha) for version in self.versions)
            for pair in sorted(old.keys() & new.keys()):
                before, after = old[pair], new[pair]
                if before != after:
                    better, worse = pair if (after or before) > 0 else pair[::-1]
                    kind = "reversed" if before and after else "gained" if after else "lost"
                    pairs.append(Pair(measure, better, worse, kind))
        return tuple(pairs)


def compare_versions(before: Version, after: Version, *, alpha: float) -> Changes:
    """The changes between two versions, which must share a run, a measure and a dimension."""
    changes = Changes(before, after, alpha)
    dimensions = before.judged.keys() & after.judged.keys()
    shared = {"run": changes.runs, "measure": changes.measures, "judged dimension": dimensions}
    for kind, names in shared.items():
        if not names:
            what = f"{before.folder} has no {kind} of this campaign"
            fix = "set it to an earlier version of this campaign's results"
            raise InputError(Problem("report.against", what, fix))
    return changes
