"""A state of a campaign's results: kept under a name, and read again to be compared."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError
from pipeline.labels.tables import EACH, subtopics_of
from pipeline.measures.measure import slug
from pipeline.statistics import score_table
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.score_table import ScoreTable
from pipeline.storage import arrow, sheets
from pipeline.storage.atomic import atomic_folder

# What a comparison needs, in a results folder and in a kept one alike.
PARTS = ("means.csv", "config.yaml", "labels/*.parquet", "scores/*.parquet", "significance/*.csv")
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
        if not self.each:
            return f"{self.value:g}"
        told = [f"{name}: {value:g}" for name, value, binary, gain in self.each if binary or gain]
        return ", ".join(told) or f"{self.value:g}"

    def same(self, other: "Label | None") -> bool:
        """Whether nothing was judged otherwise; a subtopic nobody mentioned is as one not met."""
        if other is None or self.value != other.value:
            return False
        mine, theirs = ({part[0]: part[1:] for part in one.each} for one in (self, other))
        met = {part[0] for part in (*self.each, *other.each) if part[2] or part[3]}
        return all(mine.get(name) == theirs.get(name) for name in met | (mine.keys() & theirs))


@dataclass(frozen=True)
class State:
    """The results in a folder."""

    folder: Path

    @cached_property
    def means(self) -> Means:
        """The mean of every run under every measure."""
        return read_means(self.folder / "means.csv")

    @cached_property
    def labels(self) -> dict[str, dict[Place, Label]]:
        """By dimension, what every judged document is."""
        return {
            path.stem: dict(_labels(path)) for path in sorted(self.folder.glob("labels/*.parquet"))
        }

    @cached_property
    def subtopics(self) -> dict[str, dict[str, list[str]]]:
        """By dimension and topic, the subtopics that documents were judged by, in their order."""
        return {
            path.stem: {topic: list(names) for topic, names in subtopics_of(schema).items()}
            for path in sorted(self.folder.glob("labels/*.parquet"))
            for schema in [arrow.read(path, ["topic"])]
        }

    def scores(self, measure: str) -> ScoreTable:
        """A measure's score of every run on every topic."""
        return score_table.read(self.folder / "scores" / f"{slug(measure)}.parquet")

    def apart(self, measure: str, *, alpha: float) -> dict[tuple[str, str], int]:
        """Every two runs by name: 1 if the first is told to be better, -1 the second, 0 neither."""
        path = self.folder / "significance" / f"{slug(measure)}.csv"
        found = {}
        for row in sheets.read(path) if path.is_file() else ():
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


def files(folder: Path) -> list[Path]:
    """The files of a state."""
    return sorted(path for part in PARTS for path in folder.glob(part))


def lacking(folder: Path) -> str:
    """Why a folder is no state to compare with; empty if it is one."""
    if not folder.is_dir():
        return f"there is no folder '{folder}'; keep a state with 'fathom keep' first"
    missing = [part for part in ("means.csv", "labels/*.parquet", "scores/*.parquet")
               if not any(folder.glob(part))]  # fmt: skip
    if missing:
        return (
            f"'{folder}' holds no results of a campaign (no {', no '.join(missing)}); name a "
            "folder that 'fathom keep' made, or the results folder of a finished campaign"
        )
    return ""


def kept(results: Path, name: str) -> Path:
    """Where the state of this name is, or will be."""
    if not NAME.fullmatch(name):
        raise InputError(
            f"the name '{name}' must start with a letter or digit and hold only letters, digits, "
            "'.', '_' and '-', because it names a folder"
        )
    return results / "kept" / name


def unkept(results: Path, name: str) -> str:
    """Why a campaign's results cannot be kept under a name; empty if they can."""
    if (out := kept(results, name)).exists():
        return f"'{out}' is there already; choose another name, or remove it first"
    if lacking(results):
        return f"'{results}' holds nothing to keep yet; run the campaign to its report first"
    return ""


def keep(results: Path, name: str) -> Path:
    """Copy what a comparison needs of a campaign's results under a name, whole or not at all."""
    if told := unkept(results, name):
        raise InputError(told)
    out = kept(results, name)
    with atomic_folder(out) as draft:
        for path in files(results):
            place = draft / path.relative_to(results)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
    return out
