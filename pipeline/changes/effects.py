"""The labels with the largest effects: each is reverted on its own and runs are rescored."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pipeline.changes.versions import JudgedLabel, LabelChange
from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import Measure
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import arrow

JUDGED = ("judged_topic", "judged_document", "judged_level")
LIMIT = 1000  # labels that are reverted, those retrieved first

Subtopics = Mapping[str, Mapping[str, Collection[str]]]  # by dimension and topic
Spot = tuple[int, int]  # row and rank (from 0)


class LabelEffect(NamedTuple):
    """The effect of one changed label on the means of the runs under one measure."""

    change: LabelChange
    measure: str
    mean: float  # the absolute change, averaged over the runs
    run: str  # with the largest change
    largest: float  # the change of that run


def label_effects(
    changes: Sequence[LabelChange],
    *,
    measures: Sequence[Measure],
    gains: Gains,
    rankings: Path,
    condensed: str | None = None,
    subtopics: Subtopics = MappingProxyType({}),
) -> list[LabelEffect]:
    """The effect of each changed label on each measure, the largest first.

    `condensed` is the dimension that condenses rankings, if one does. A document that is judged by
    subtopic has all its labels reverted; `subtopics` names those of each dimension and topic.
    """
    places_of = _places(rankings, gains, {change.document for change in changes})
    topic = [gains.topics[number] for number in gains.topic.tolist()]  # of each row
    places = []
    for change in changes:
        if change.dimension in gains.dimensions:
            at = places_of.get(change.document, ())
            places.append((change, [p for p in at if change.topic in ("", topic[p[0]])]))
    places.sort(key=lambda place: min((rank for _, rank in place[1]), default=10**9))
    effects: list[LabelEffect] = []
    for change, at in places[:LIMIT]:
        names = [*subtopics.get(change.dimension, {}).get(change.topic, ())]
        effects += _effects(change, at, gains, names=names, measures=measures, condensed=condensed)
    return sorted(effects, key=lambda effect: -effect.mean)


def _effects(
    change: LabelChange,
    at: Sequence[Spot],
    gains: Gains,
    *,
    names: Sequence[str],
    measures: Sequence[Measure],
    condensed: str | None,
) -> Iterator[LabelEffect]:
    """The effect of a label on each measure; `at` are the rows and ranks of its document."""
    topics = [n for n, topic in enumerate(gains.topics) if change.topic in ("", topic)]
    rows = np.flatnonzero(np.isin(gains.topic, topics))
    current = _of_topics(gains.rows(rows), topics)
    inside = [(int(np.searchsorted(rows, row)), rank) for row, rank in at]
    topic = topics[0] if change.topic else -1
    reverted = _reverted(current, change, inside, topic=topic, names=names)
    before, after = (g.condensed(condensed) if condensed else g for g in (reverted, current))
    for measure in measures:
        if change.dimension in measure.dimensions:
            effect = measure.value(after) - measure.value(before)
            by_run = effect.reshape(len(gains.runs), -1).sum(axis=1) / len(gains.topics)
            most, mean = int(np.abs(by_run).argmax()), float(np.abs(by_run).mean())
            if mean > 0:
                yield LabelEffect(change, measure.name, mean, gains.runs[most], float(by_run[most]))


def _places(rankings: Path, gains: Gains, documents: set[str]) -> dict[str, list[Spot]]:
    ranked = read_rankings(rankings, topics=gains.topics)
    number = ranked.number[:, : next(iter(gains.dimensions.values())).codes.shape[1]]
    numbers = ranked.find(sorted(documents))
    rows, ranks = np.nonzero(np.isin(number, numbers[numbers >= 0]))
    names = ranked.documents.take(arrow.numbers(number[rows, ranks])).to_pylist()
    places: dict[str, list[Spot]] = {}
    for row, rank, document in zip(rows.tolist(), ranks.tolist(), names, strict=True):
        places.setdefault(document, []).append((row, rank))
    return places


def _of_topics(gains: Gains, topics: Sequence[int]) -> Gains:
    """The gains without judgements of other topics, which only cost time."""
    if len(topics) > 1:
        return gains
    dimensions = {}
    for name, dimension in gains.dimensions.items():
        kept = (dimension.judged_topic == topics[0]) | (dimension.judged_topic < 0)
        judged = {key: getattr(dimension, key)[kept] for key in JUDGED}
        dimensions[name] = replace(dimension, **judged)
    return replace(gains, dimensions=dimensions, cache={})


def _reverted(
    gains: Gains, change: LabelChange, at: Sequence[Spot], *, topic: int, names: Sequence[str]
) -> Gains:
    dimension, level = _with_level(gains.dimensions[change.dimension], change.before, names)
    codes = dimension.codes.astype(np.int32)
    for row, rank in at:
        codes[row, rank] = level
    kept = (dimension.judged_topic != topic) | (dimension.judged_document != change.document)
    judged = {key: getattr(dimension, key)[kept] for key in JUDGED}
    if change.before is not None:
        values: tuple[Any, ...] = (topic, change.document, level)
        judged = {key: np.append(judged[key], v) for key, v in zip(JUDGED, values, strict=True)}
    changed = replace(dimension, codes=codes, **judged)
    return replace(gains, dimensions={**gains.dimensions, change.dimension: changed}, cache={})


def _with_level(
    dimension: Dimension, label: JudgedLabel | None, names: Sequence[str]
) -> tuple[Dimension, int]:
    """The dimension with a level for a label, which may no longer have one, and its number."""
    if label is None:
        return dimension, UNJUDGED
    # In the order of STORED.
    worth = np.vstack([dimension.worth, (label.binary, label.gain, label.value)])
    if not dimension.subtopics.shape[1]:
        same = np.flatnonzero(dimension.worth[:, STORED.index("label")] == label.value)
        for level in same[same > UNJUDGED].tolist():
            return dimension, level
        return replace(dimension, worth=worth), len(dimension.worth)
    lowest, highest, sign = dimension.scale.tolist()
    worst = (0.0, 0.0, lowest if sign > 0 else highest)
    parts = np.tile(worst, (dimension.subtopics.shape[1], 1))
    for name, value, binary, gain in label.each:
        if name in names:  # a subtopic that no longer exists has no gain
            parts[names.index(name)] = binary, gain, value
    subtopics = np.concatenate([dimension.subtopics, parts[None]])
    return replace(dimension, worth=worth, subtopics=subtopics), len(dimension.worth)
