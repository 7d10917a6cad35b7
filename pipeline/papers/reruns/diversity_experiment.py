"""Lists drawn from judged documents, scored by the engine and analysed by their conditions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.errors import InputError
from pipeline.gains.attach import attach
from pipeline.gains.dimension import Dimension
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.labels.scale import Scale
from pipeline.labels.tables import topics_in
from pipeline.measures import parse
from pipeline.papers.reruns.diversity_lists import (
    FACTORS,
    LEVELS,
    Cell,
    Judged,
    Lists,
    Sample,
    lists,
    pairs,
    sample,
)
from pipeline.runs.rankings import Rankings
from pipeline.sources.synthetic.distribution import Chance
from pipeline.sources.synthetic.draw import labels as drawn_labels
from pipeline.statistics.significance.factorial import TYPES, Effect, analyse
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import strings
from pipeline.storage.text import read_text

NAME = "topicality"
Analyses = Mapping[str, Mapping[str, tuple[Effect, ...]]]  # measure, type: effects


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How lists are drawn."""

    each: int  # lists a topic and cell
    depth: int
    bounds: Sequence[float]
    boundary: str
    conditions: Sequence[Cell] | None = None


@dataclass(frozen=True)
class Collection:
    """Judged documents by topic and signature."""

    topics: tuple[str, ...]
    dimension: Dimension  # of no ranking
    judged: tuple[Judged, ...]
    documents: Sequence[Sequence[Ints]]  # [topic][signature]: levels; the last: of no subtopic

    def counted(self, subtopics: Mapping[str, int]) -> "Collection":
        """The same with N from elsewhere, as a topics file."""
        judged = tuple(
            replace(one, subtopics=subtopics.get(one.topic, one.subtopics)) for one in self.judged
        )
        return replace(self, judged=judged)


def collected(table: pa.Table) -> Collection:
    """The documents of a table of labels by subtopic; N counts subtopics with a relevant one."""
    topics = topics_in(table)
    nobody = Rankings(
        runs=[],
        topics=topics,
        documents=strings([]),
        number=np.zeros((0, 1), np.int32),
        length=np.zeros(0, np.int32),
        score=None,
    )
    dimension = attach(nobody, table)
    if not dimension.subtopics.shape[1]:
        raise InputError(
            "the labels have no subtopics; set subtopics: true for the dimension 'topicality'"
        )
    binary = dimension.subtopics[:, :, 0]
    judged, documents = [], []
    for number, topic in enumerate(topics):
        level = dimension.judged_level[dimension.judged_topic == number]
        met = binary[level] > 0
        known = met.any(axis=0)
        some = met.any(axis=1)
        signature, place, count = np.unique(
            met[some][:, known], axis=0, return_inverse=True, return_counts=True
        )
        judged.append(
            Judged(topic, signature.astype(np.int64), count, int((~some).sum()), int(known.sum()))
        )
        each = [level[some][place.ravel() == one] for one in range(len(count))]
        documents.append([*each, level[~some]])
    return Collection(tuple(topics), dimension, tuple(judged), documents)


def possible(collection: Collection, depth: int) -> list[Lists]:
    """Every list of so many documents, of the topics in which something is relevant."""
    return [lists(one, depth=depth) for one in collection.judged]


def least_even(found: Lists) -> float:
    """The least evenness that any of a topic's lists has."""
    value: float = np.nanmin(np.where(found.ways > 0, found.values[:, 1], np.nan))
    return value


def subtopics_in(path: Path) -> dict[str, int]:
    """How many subtopics each topic of a Web track topics file has."""
    text = read_text(path, what="topics file", line="<topic number=...> with <subtopic ...>")
    blocks = re.findall(r"<topic\b[^>]*\bnumber=\"(\w+)\"[^>]*>(.*?)</topic>", text, re.DOTALL)
    found = {topic: len(re.findall(r"<subtopic\b", body)) for topic, body in blocks}
    if not any(found.values()):
        raise InputError(f"{path}: no <topic number=...> with a <subtopic>; give the track's XML")
    return found


def drawn(
    collection: Collection, found: Sequence[Lists], setting: Setting, *, seed: int
) -> tuple[Sample, Gains]:
    """Lists of every condition that can be met, and their gains: one row a list."""
    wanted = setting.conditions
    known = pairs(found, setting.bounds, boundary=setting.boundary)
    for cell in wanted or ():
        if cell not in known:
            shown = ", ".join(f"{LEVELS[n]} {name}" for n, name in zip(cell, FACTORS, strict=True))
            raise InputError(
                f"conditions: no topic has a list of {setting.depth} documents with {shown}; "
                "remove it, or move the bounds"
            )
    if not known:
        raise InputError(
            f"no topic has {setting.depth} judged documents, one of them relevant; make depth "
            "smaller"
        )
    random = np.random.default_rng(seed)
    made = sample(
        found,
        each=setting.each,
        bounds=setting.bounds,
        boundary=setting.boundary,
        wanted=wanted,
        random=random,
    )
    codes = np.zeros(made.signature.shape, np.int32)
    for row, (topic, signatures) in enumerate(
        zip(made.topic.tolist(), made.signature, strict=True)
    ):
        for one in np.unique(signatures).tolist():
            places = np.flatnonzero(signatures == one)
            levels = collection.documents[topic][one]  # -1: the last, relevant to nothing
            codes[row, places] = random.choice(levels, size=len(places), replace=False)
    gains = Gains(
        runs=("drawn",),
        topics=collection.topics,
        topic=made.topic,
        length=np.full(len(codes), setting.depth, np.int64),
        dimensions={NAME: replace(collection.dimension, codes=codes)},
    )
    return made, gains


def analysed(made: Sample, gains: Gains, measures: Sequence[str]) -> Analyses:
    """Variance of each measure by the conditions, with all three types of squares."""
    return {
        text: _types(made.levels, parse(text, dimensions=[NAME]).value(gains), factors=FACTORS)
        for text in measures
    }


def _types(
    levels: Ints, scores: Floats, *, factors: Sequence[str]
) -> dict[str, tuple[Effect, ...]]:
    return {kind: analyse(levels, scores, factors=factors, squares=kind) for kind in TYPES}


# ---- several dimensions ------------------------------------------------------------------------

DIMENSIONS = ("topicality", "understandability", "trustworthiness")
CHANCES = (0.2, 0.5, 0.8)
BINARY = Scale(0, 1, "high", 1, None, ())
MULTIDIMENSIONAL = {
    "uRBP": "uRBP(p=0.8, by=understandability+trustworthiness)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1, trustworthiness=1)",
    "CAM": "CAM(RBP(p=0.8), topicality=1, understandability=1, trustworthiness=1)",
}


def multidimensional(*, lists: int, depth: int, seed: int) -> Analyses:
    """How much of a measure is each dimension: a document is good in each with a set chance."""
    random = np.random.default_rng(seed)
    cells = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    parts: dict[str, list[Floats]] = {name: [] for name in DIMENSIONS}
    for cell in cells:
        chances = {
            name: Chance(chance=CHANCES[level])
            for name, level in zip(DIMENSIONS, cell, strict=True)
        }
        labels = drawn_labels(chances, shape=(1, lists, depth), random=random)
        for name, found in labels.items():
            parts[name].append(found)
    gains = from_labels(
        {name: np.concatenate(found, axis=1) for name, found in parts.items()},
        scales=dict.fromkeys(DIMENSIONS, BINARY),
    )
    levels = np.repeat(np.array(cells), lists, axis=0)
    return {
        name: _types(levels, parse(text, dimensions=DIMENSIONS).value(gains), factors=DIMENSIONS)
        for name, text in MULTIDIMENSIONAL.items()
    }
