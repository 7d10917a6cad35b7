"""The experiment of Kingrani, Levene & Zhang 2018: random lists of judged documents, analysed."""

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
from pipeline.papers.diversity import lists
from pipeline.papers.diversity.lists import BOUNDARIES, FACTORS, LEVELS, JudgedTopic, TopicLists
from pipeline.runs.rankings import Rankings
from pipeline.sources.generators.synthetic import Categorical, labels
from pipeline.statistics.significance.factorial import TYPES, Effect, analyse
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import read_text

NAME = "topicality"
MEASURES: Mapping[str, str] = {  # name in the paper: name in Fathom
    "alpha-nDCG": "alpha_nDCG@10",
    "MAP-IA": "IA(AP)",
    "ERR-IA": "ERR_IA@10",
}
KIND = "II"  # type of the sums of squares, which does not depend on the order of the factors
Analyses = Mapping[str, Mapping[str, tuple[Effect, ...]]]  # measure, type: effects


@dataclass(frozen=True)
class JudgedCollection:
    """Judged documents by topic and signature."""

    topics: tuple[str, ...]
    dimension: Dimension  # without rankings
    judged: tuple[JudgedTopic, ...]
    documents: Sequence[Sequence[Ints]]  # [topic][signature]: levels; the last: of no subtopic


def judged_collection(table: pa.Table) -> JudgedCollection:
    """The judged documents of a table of labels; N is the subtopics with a relevant document."""
    topics = topics_in(table)
    no_rankings = Rankings(
        runs=[],
        topics=topics,
        documents=arrow.strings([]),
        number=np.zeros((0, 1), np.int32),
        length=np.zeros(0, np.int32),
        score=None,
    )
    dimension = build(no_rankings, {NAME: judgements_in(table)}, topics=topics).dimensions[NAME]
    if not dimension.subtopics.shape[1]:
        fix = "set subtopics: true for the dimension 'topicality'"
        raise InputError(Problem("", "the labels have no subtopics", fix))
    binary = dimension.subtopics[:, :, 0]
    judged_topics, documents = [], []
    for number, topic in enumerate(topics):
        level = dimension.judged_level[dimension.judged_topic == number]
        relevance = binary[level] > 0
        subtopics, relevant = relevance.any(axis=0), relevance.any(axis=1)
        others = int((~relevant).sum())
        signature, place, count = np.unique(
            relevance[relevant][:, subtopics], axis=0, return_inverse=True, return_counts=True
        )
        signature = signature.astype(np.int64)
        judged_topics.append(JudgedTopic(topic, signature, count, others, int(subtopics.sum())))
        groups = [level[relevant][place.ravel() == row] for row in range(len(count))]
        documents.append([*groups, level[~relevant]])
    return JudgedCollection(tuple(topics), dimension, tuple(judged_topics), documents)


def subtopics_in(path: Path) -> dict[str, int]:
    """The number of subtopics of each topic in a Web track topics file."""
    text = read_text(path, what="topics file", line="<topic number=...> with <subtopic ...>")
    blocks = re.findall(r"<topic\b[^>]*\bnumber=\"(\w+)\"[^>]*>(.*?)</topic>", text, re.DOTALL)
    counts = {topic: len(re.findall(r"<subtopic\b", body)) for topic, body in blocks}
    if not any(counts.values()):
        what = "no <topic number=...> with a <subtopic>"
        raise InputError(Problem(path, what, "use the track's XML file"))
    return counts


def draw_lists(
    collection: JudgedCollection,
    topic_lists: Sequence[TopicLists],
    settings: Mapping[str, Any],
    *,
    seed: int,
) -> tuple[lists.Sample, Gains]:
    """Random lists of every condition that a topic can meet, and their gains: one row per list."""
    depth, bounds, boundary = (settings[key] for key in ("documents", "bounds", "boundary"))
    fillable, conditions = lists.pairs(topic_lists, bounds, boundary=boundary), []
    for condition in settings["conditions"] or ():
        conditions.append(tuple(map(LEVELS.index, condition)))
        if conditions[-1] not in fillable:
            text = ", ".join(map(" ".join, zip(condition, FACTORS, strict=True)))
            what = f"no topic has a list of {depth} documents with {text}"
            raise InputError(Problem("conditions", what, "remove it, or change bounds"))
    if not fillable:
        what = f"no topic has {depth} judged documents with a relevant one among them"
        raise InputError(Problem("documents", what, "make it smaller"))
    random = np.random.default_rng(seed)
    sampled = lists.sample(
        topic_lists, each=settings["lists_each"], bounds=bounds, boundary=boundary,
        conditions=conditions, random=random,
    )  # fmt: skip
    codes = np.zeros(sampled.signature.shape, np.int32)
    rows = zip(sampled.topic.tolist(), sampled.signature, strict=True)
    for row, (topic, signatures) in enumerate(rows):
        for number in np.unique(signatures).tolist():
            places = np.flatnonzero(signatures == number)
            levels = collection.documents[topic][number]  # -1: the last, of no subtopic
            codes[row, places] = random.choice(levels, size=len(places), replace=False)
    gains = Gains(
        runs=("drawn",),
        topics=collection.topics,
        topic=sampled.topic,
        length=np.full(len(codes), depth, np.int64),
        dimensions={NAME: replace(collection.dimension, codes=codes)},
    )
    return sampled, gains


def _types(
    levels: Ints, scores: Floats, *, factors: Sequence[str]
) -> dict[str, tuple[Effect, ...]]:
    return {kind: analyse(levels, scores, factors=factors, squares=kind) for kind in TYPES}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """The result of the experiment."""

    settings: Mapping[str, Any]
    analyses: Sequence[Analyses]  # one per repetition
    points: int  # lists of a repetition
    states: int  # distinguishable lists of all topics
    least_even: float  # the least evenness of any list
    variants: Sequence[tuple[str, str, str, int, int]]  # N, bound, empty, conditions, pairs

    @property
    def measures(self) -> list[str]:
        return list(self.analyses[0])

    def mean(self, measure: str, kind: str) -> list[Effect]:
        """The effects on a measure, each the mean over all repetitions."""
        effects, fields = [], ("squares", "f", "p", "share")
        for samples in zip(*(draw[measure][kind] for draw in self.analyses), strict=True):
            means = {key: float(np.mean([getattr(e, key) for e in samples])) for key in fields}
            effects.append(replace(samples[0], name=samples[0].name.replace(":", " * "), **means))
        return effects

    def effect(self, measure: str, name: str) -> Effect:
        """The mean effect of a factor or interaction, with sums of squares of the type `KIND`."""
        return next(effect for effect in self.mean(measure, KIND) if effect.name == name)

    def orders(self, measure: str) -> set[tuple[str, ...]]:
        """The orders of the main effects, from the largest to the smallest, in the repetitions."""
        ranked = (sorted(draw[measure][KIND], key=lambda e: -e.squares) for draw in self.analyses)
        return {tuple(e.name for e in effects if e.name in FACTORS) for effects in ranked}

    def largest_interaction(self) -> float:
        """The largest share of a two-way interaction, over repetitions and the paper's measures."""
        return max(
            effect.share
            for analysis in self.analyses
            for measure in MEASURES.values()
            for effect in analysis[measure][KIND]
            if effect.name.count(":") == 1
        )


def run(table: Path, settings: Mapping[str, Any]) -> Experiment:
    """Draw and analyse lists of the judged documents of a table of labels."""
    collection = judged_collection(arrow.read(table))
    topics = [lists.lists(topic, depth=settings["documents"]) for topic in collection.judged]
    evenness = (np.where(topic.ways > 0, topic.values[:, 1], np.nan) for topic in topics)
    measures = [*MEASURES.values(), *settings["further_measures"]]
    analyses = []
    for seed in range(settings["seed"], settings["seed"] + settings["draws"]):
        sampled, gains = draw_lists(collection, topics, settings, seed=seed)
        scores = {text: parse(text, dimensions=[NAME]).value(gains) for text in measures}
        analyses.append({t: _types(sampled.levels, s, factors=FACTORS) for t, s in scores.items()})
    return Experiment(
        settings=settings,
        analyses=analyses,
        points=len(sampled.topic),
        states=sum(len(topic.ways) for topic in topics),
        least_even=min(float(np.nanmin(values)) for values in evenness),
        variants=_variants(collection, topics, settings),
    )


def _variants(
    collection: JudgedCollection, topic_lists: Sequence[TopicLists], settings: Mapping[str, Any]
) -> list[tuple[str, str, str, int, int]]:
    """How many conditions can be met, for each interpretation of bounds, N and empty lists."""
    sources = {"judgements": topic_lists}
    if settings["subtopics_file"]:
        counts = subtopics_in(Path(settings["subtopics_file"]))
        topics = (replace(j, subtopics=counts.get(j.topic, j.subtopics)) for j in collection.judged)
        sources["topics file"] = [lists.lists(j, depth=settings["documents"]) for j in topics]
    rows = []
    for (source, lists_of), boundary, empty in product(sources.items(), BOUNDARIES, (False, True)):
        cells = lists.pairs(lists_of, settings["bounds"], boundary=boundary, empty=empty)
        evenness = "evenness 0" if empty else "left out"
        rows.append((source, boundary, evenness, len(cells), sum(cells.values())))
    return rows


DIMENSIONS = ("topicality", "understandability", "trustworthiness")
CHANCES = (0.2, 0.5, 0.8)
BINARY = Scale(0, 1, "high", 1, None, ())
MULTIDIMENSIONAL = {
    "uRBP": "uRBP(p=0.8, by=understandability+trustworthiness)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1, trustworthiness=1)",
    "CAM": "CAM(RBP(p=0.8), topicality=1, understandability=1, trustworthiness=1)",
}


def multidimensional(*, lists: int, depth: int, seed: int) -> Analyses:
    """The analysis of measures by dimension, of documents good in each with a given probability."""
    random = np.random.default_rng(seed)
    cells = list(product(range(3), repeat=3))
    parts = []
    for cell in cells:
        draws = {n: Categorical.binary(CHANCES[i]) for n, i in zip(DIMENSIONS, cell, strict=True)}
        parts.append(labels(draws, shape=(1, lists, depth), random=random))
    joined = {name: np.concatenate([part[name] for part in parts], axis=1) for name in DIMENSIONS}
    gains = from_labels(joined, scales=dict.fromkeys(DIMENSIONS, BINARY))
    levels = np.repeat(np.array(cells), lists, axis=0)
    return {
        name: _types(levels, parse(text, dimensions=DIMENSIONS).value(gains), factors=DIMENSIONS)
        for name, text in MULTIDIMENSIONAL.items()
    }
