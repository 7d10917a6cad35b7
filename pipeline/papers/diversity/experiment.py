"""Lists drawn from judged documents, scored by the engine and analysed by their conditions.

The experiment of Kingrani, Levene & Zhang 2018, as often as the config says.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.gains.build import build
from pipeline.gains.dimension import Dimension
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.labels.tables import judgements_in, topics_in
from pipeline.measures import parse
from pipeline.papers.diversity.lists import (
    BOUNDARIES,
    FACTORS,
    LEVELS,
    JudgedTopic,
    Sample,
    TopicLists,
    lists,
    pairs,
    sample,
)
from pipeline.runs.rankings import Rankings
from pipeline.sources.generators.synthetic import Categorical, labels
from pipeline.statistics.significance.factorial import TYPES, Effect, analyse
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import strings
from pipeline.storage.text import read_text

NAME = "topicality"
MEASURES: Mapping[str, str] = {  # as printed: ours
    "alpha-nDCG": "alpha_nDCG@10",
    "MAP-IA": "IA(AP)",
    "ERR-IA": "ERR_IA@10",
}
KIND = "II"  # of the squares beside the printed ones: they hang on no order of the factors
Analyses = Mapping[str, Mapping[str, tuple[Effect, ...]]]  # measure, type: effects


@dataclass(frozen=True)
class JudgedCollection:
    """Judged documents by topic and signature."""

    topics: tuple[str, ...]
    dimension: Dimension  # of no ranking
    judged: tuple[JudgedTopic, ...]
    documents: Sequence[Sequence[Ints]]  # [topic][signature]: levels; the last: of no subtopic


def collected(table: pa.Table) -> JudgedCollection:
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
    dimension = build(nobody, {NAME: judgements_in(table)}, topics=topics).dimensions[NAME]
    if not dimension.subtopics.shape[1]:
        fix = "set subtopics: true for the dimension 'topicality'"
        raise InputError(Problem("", "the labels have no subtopics", fix))
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
            JudgedTopic(
                topic, signature.astype(np.int64), count, int((~some).sum()), int(known.sum())
            )
        )
        each = [level[some][place.ravel() == one] for one in range(len(count))]
        documents.append([*each, level[~some]])
    return JudgedCollection(tuple(topics), dimension, tuple(judged), documents)


def subtopics_in(path: Path) -> dict[str, int]:
    """How many subtopics each topic of a Web track topics file has."""
    text = read_text(path, what="topics file", line="<topic number=...> with <subtopic ...>")
    blocks = re.findall(r"<topic\b[^>]*\bnumber=\"(\w+)\"[^>]*>(.*?)</topic>", text, re.DOTALL)
    found = {topic: len(re.findall(r"<subtopic\b", body)) for topic, body in blocks}
    if not any(found.values()):
        what = "no <topic number=...> with a <subtopic>"
        raise InputError(Problem(path, what, "give the track's XML"))
    return found


def drawn(
    collection: JudgedCollection,
    found: Sequence[TopicLists],
    settings: Mapping[str, Any],
    *,
    seed: int,
) -> tuple[Sample, Gains]:
    """Lists of every condition that can be met, and their gains: one row a list."""
    depth, bounds, boundary = (settings[key] for key in ("documents", "bounds", "boundary"))
    known, wanted = pairs(found, bounds, boundary=boundary), []
    for condition in settings["conditions"] or ():
        wanted.append(tuple(map(LEVELS.index, condition)))
        if wanted[-1] not in known:
            shown = ", ".join(map(" ".join, zip(condition, FACTORS, strict=True)))
            what = f"no topic has a list of {depth} documents with {shown}"
            raise InputError(Problem("conditions", what, "remove it, or move the bounds"))
    if not known:
        what = f"no topic has {depth} judged documents, one of them relevant"
        raise InputError(Problem("", what, "make documents smaller"))
    each, random = settings["lists_each"], np.random.default_rng(seed)
    made = sample(found, each=each, bounds=bounds, boundary=boundary, wanted=wanted, random=random)
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
        length=np.full(len(codes), depth, np.int64),
        dimensions={NAME: replace(collection.dimension, codes=codes)},
    )
    return made, gains


def _types(
    levels: Ints, scores: Floats, *, factors: Sequence[str]
) -> dict[str, tuple[Effect, ...]]:
    """The analysis of variance with each type of squares."""
    return {kind: analyse(levels, scores, factors=factors, squares=kind) for kind in TYPES}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What running the experiment gave."""

    settings: Mapping[str, Any]
    analyses: Sequence[Analyses]  # one for each draw
    points: int  # lists of a draw
    states: int  # what the lists of all topics can be
    least_even: float  # the least evenness of any list
    variants: Sequence[tuple[str, str, str, int, int]]  # N, bound, empty, conditions, pairs

    @property
    def measures(self) -> list[str]:
        """All that were analysed."""
        return list(self.analyses[0])

    def mean(self, measure: str, kind: str) -> list[Effect]:
        """The effects on a measure, each the mean over all draws."""
        effects = []
        for same in zip(*(one[measure][kind] for one in self.analyses), strict=True):
            each = ("squares", "f", "p", "share")
            means = {key: float(np.mean([getattr(one, key) for one in same])) for key in each}
            effects.append(replace(same[0], name=same[0].name.replace(":", " * "), **means))
        return effects

    def effect(self, measure: str, name: str) -> Effect:
        """One of them, by squares of the type beside the printed ones."""
        return next(one for one in self.mean(measure, KIND) if one.name == name)

    def orders(self, measure: str) -> set[tuple[str, ...]]:
        """The main effects from the largest to the smallest, in every draw."""
        found = set()
        for one in self.analyses:
            main = [effect for effect in one[measure][KIND] if effect.name in FACTORS]
            found.add(tuple(e.name for e in sorted(main, key=lambda e: -e.squares)))
        return found

    def largest_interaction(self) -> float:
        """The largest share of an interaction of two in any draw of a measure of the paper."""
        return max(
            effect.share
            for one in self.analyses
            for measure in MEASURES.values()
            for effect in one[measure][KIND]
            if effect.name.count(":") == 1
        )


def run(table: Path, settings: Mapping[str, Any]) -> Experiment:
    """Draw and analyse lists of the judged documents of a table of labels, as often as asked."""
    collection = collected(arrow.read(table))
    found = [lists(one, depth=settings["documents"]) for one in collection.judged]
    measures = [*MEASURES.values(), *settings["further_measures"]]
    analyses = []
    for seed in range(settings["seed"], settings["seed"] + settings["draws"]):
        made, gains = drawn(collection, found, settings, seed=seed)
        scores = {text: parse(text, dimensions=[NAME]).value(gains) for text in measures}
        analyses.append({t: _types(made.levels, s, factors=FACTORS) for t, s in scores.items()})
    return Experiment(
        settings=settings,
        analyses=analyses,
        points=len(made.topic),
        states=sum(len(one.ways) for one in found),
        least_even=min(
            float(np.nanmin(np.where(one.ways > 0, one.values[:, 1], np.nan))) for one in found
        ),
        variants=_variants(collection, found, settings),
    )


def _variants(
    collection: JudgedCollection, found: Sequence[TopicLists], settings: Mapping[str, Any]
) -> list[tuple[str, str, str, int, int]]:
    """How many conditions there are under each reading of bounds, N and lists with nothing."""
    readings = {"judgements": found}
    if settings["subtopics_file"]:
        known = subtopics_in(Path(settings["subtopics_file"]))
        other = (replace(j, subtopics=known.get(j.topic, j.subtopics)) for j in collection.judged)
        readings["topics file"] = [lists(one, depth=settings["documents"]) for one in other]
    rows = []
    for (source, some), boundary, empty in product(readings.items(), BOUNDARIES, (False, True)):
        cells = pairs(some, settings["bounds"], boundary=boundary, empty=empty)
        shown = "evenness 0" if empty else "left out"
        rows.append((source, boundary, shown, len(cells), sum(cells.values())))
    return rows


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
    cells = list(product(range(3), repeat=3))
    parts = []
    for cell in cells:
        chances = [Categorical.binary(CHANCES[level]) for level in cell]
        draws = dict(zip(DIMENSIONS, chances, strict=True))
        parts.append(labels(draws, shape=(1, lists, depth), random=random))
    joined = {name: np.concatenate([part[name] for part in parts], axis=1) for name in DIMENSIONS}
    gains = from_labels(joined, scales=dict.fromkeys(DIMENSIONS, BINARY))
    levels = np.repeat(np.array(cells), lists, axis=0)
    return {
        name: _types(levels, parse(text, dimensions=DIMENSIONS).value(gains), factors=DIMENSIONS)
        for name, text in MULTIDIMENSIONAL.items()
    }
