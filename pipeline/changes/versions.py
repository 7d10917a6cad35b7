"""A version of a campaign's results: kept under a name, and read again to be compared."""

import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.labels.tables import EACH, subtopics_of
from pipeline.measures.measure import slug
from pipeline.results import Results
from pipeline.statistics.means import Means
from pipeline.storage import arrow
from pipeline.storage.atomic import atomic_folder

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
    def subtopics(self) -> Mapping[str, Mapping[str, list[str]]]:
        """By dimension and topic, the subtopics that documents were judged by, in their order."""
        tables = {name: arrow.read(self.labels(name), ["topic"]) for name in self.dimensions}
        return {
            name: {topic: list(names) for topic, names in subtopics_of(table).items()}
            for name, table in tables.items()
        }

    def tested(self, measure: str, *, alpha: float) -> dict[tuple[str, str], int]:
        """Every two runs by name: 1 if the first is significantly better, -1 the second, else 0."""
        path = self.significance(slug(measure))
        found = {}
        for row in self.read_table(path) if path.is_file() else ():
            told = bool(row["p_tukey"]) and float(row["p_tukey"]) <= alpha
            sign = int(np.sign(float(row["difference"]))) if told else 0
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


def not_keepable(results: Results, name: str) -> list[Problem]:
    """Why a campaign's results cannot be kept under a name; empty if they can."""
    if not NAME.fullmatch(name):
        what = f"'{name}' cannot be the name of a folder"
        fix = "start with a letter or digit and use only letters, digits, '.', '_' and '-'"
        return [Problem("NAME", what, fix)]
    if (kept := results.kept(name).folder).exists():
        return [Problem(kept, "it exists", "choose another name, or remove it first")]
    try:
        results.check_comparable()
    except InputError:
        return [Problem(results.folder, "there is nothing to keep yet", "run the campaign first")]
    return []


def keep(results: Results, name: str) -> Path:
    """Copy what a comparison needs of a campaign's results under a name, whole or not at all."""
    if problems := not_keepable(results, name):
        raise InputError(*problems)
    out = results.kept(name).folder
    with atomic_folder(out) as draft:
        for path in results.kept_files():
            place = draft / path.relative_to(results.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
    return out
