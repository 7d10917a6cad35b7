"""Which labels moved the scores most: each is taken back alone, and all runs are scored again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pipeline.changes.versions import Label, LabelChange
from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import Measure
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import arrow

JUDGED = ("judged_topic", "judged_document", "judged_level")
MOST = 1000  # labels taken back: those retrieved first; a page can name only some anyway

Subtopics = Mapping[str, Mapping[str, Collection[str]]]  # by dimension and topic
Places = Mapping[str, list[tuple[int, int]]]  # by document: row and rank (from 0)


class Blame(NamedTuple):
    """A label that is not as it was, and what it alone did to the runs' means."""

    change: LabelChange
    measure: str
    mean: float  # by how much it moved them, on average over the runs
    run: str  # that it moved most,
    most: float  # and by how much


def blamed(
    changes: Sequence[LabelChange],
    *,
    measures: Sequence[Measure],
    gains: Gains,
    rankings: Path,
    condensed: str | None = None,
    subtopics: Subtopics = MappingProxyType({}),
) -> list[Blame]:
    """What each changed label did to each measure, the most first.

    `condensed` names the dimension by which lists are condensed, if they are; `subtopics` are those
    of each dimension and topic. Of a document judged by subtopic, all its labels are taken back.
    """
    known = _places(rankings, gains, {one.document for one in changes})
    topic = [gains.topics[number] for number in gains.topic.tolist()]  # of each row
    places = [
        (one, [at for at in known.get(one.document, ()) if one.topic in ("", topic[at[0]])])
        for one in changes
        if one.dimension in gains.dimensions
    ]
    places.sort(key=lambda one: min((rank for _, rank in one[1]), default=10**9))
    found: list[Blame] = []
    for change, at in places[:MOST]:
        names = [*subtopics.get(change.dimension, {}).get(change.topic, ())]
        found += _effects(change, at, gains, names=names, measures=measures, condensed=condensed)
    return sorted(found, key=lambda blame: -blame.mean)


def _effects(
    change: LabelChange,
    at: Sequence[tuple[int, int]],
    gains: Gains,
    *,
    names: Sequence[str],
    measures: Sequence[Measure],
    condensed: str | None,
) -> Iterator[Blame]:
    """What a label did to each measure that it moved; `at` are its document's rows and ranks."""
    topics = [n for n, topic in enumerate(gains.topics) if change.topic in ("", topic)]
    rows = np.flatnonzero(np.isin(gains.topic, topics))
    now = _only(gains.rows(rows), topics)
    inside = [(int(np.searchsorted(rows, row)), rank) for row, rank in at]
    then = _reverted(now, change, inside, topic=topics[0] if change.topic else -1, names=names)
    before, after = (g.condensed(condensed) if condensed else g for g in (then, now))
    for measure in measures:
        if change.dimension in measure.dimensions:
            effect = measure.value(after) - measure.value(before)
            moved = effect.reshape(len(gains.runs), -1).sum(axis=1) / len(gains.topics)
            most, mean = int(np.abs(moved).argmax()), float(np.abs(moved).mean())
            if mean > 0:
                yield Blame(change, measure.name, mean, gains.runs[most], float(moved[most]))


def _places(rankings: Path, gains: Gains, documents: set[str]) -> Places:
    """Where the rankings have the documents."""
    ranked = read_rankings(rankings, topics=gains.topics)
    number = ranked.number[:, : next(iter(gains.dimensions.values())).codes.shape[1]]
    wanted = ranked.find(sorted(documents))
    rows, ranks = np.nonzero(np.isin(number, wanted[wanted >= 0]))
    names = ranked.documents.take(arrow.numbers(number[rows, ranks])).to_pylist()
    found: dict[str, list[tuple[int, int]]] = {}
    for row, rank, document in zip(rows.tolist(), ranks.tolist(), names, strict=True):
        found.setdefault(document, []).append((row, rank))
    return found


def _only(gains: Gains, topics: Sequence[int]) -> Gains:
    """Without the judgements of other topics, which cost time and change nothing."""
    if len(topics) > 1:
        return gains
    dimensions = {}
    for name, one in gains.dimensions.items():
        own = (one.judged_topic == topics[0]) | (one.judged_topic < 0)
        judged = {key: getattr(one, key)[own] for key in JUDGED}
        dimensions[name] = replace(one, **judged)
    return replace(gains, dimensions=dimensions, cache={})


def _reverted(
    gains: Gains,
    change: LabelChange,
    at: Sequence[tuple[int, int]],
    *,
    topic: int,
    names: Sequence[str],
) -> Gains:
    """The judgements with one label as it was before."""
    one, level = _with_level(gains.dimensions[change.dimension], change.before, names)
    codes = one.codes.astype(np.int32)
    for row, rank in at:
        codes[row, rank] = level
    others = (one.judged_topic != topic) | (one.judged_document != change.document)
    judged = {key: getattr(one, key)[others] for key in JUDGED}
    if change.before is not None:
        again: tuple[Any, ...] = (topic, change.document, level)
        judged = {key: np.append(judged[key], one) for key, one in zip(JUDGED, again, strict=True)}
    dimensions = {**gains.dimensions, change.dimension: replace(one, codes=codes, **judged)}
    return replace(gains, dimensions=dimensions, cache={})


def _with_level(one: Dimension, label: Label | None, names: Sequence[str]) -> tuple[Dimension, int]:
    """The dimension with a level for a label, which nobody may have any more, and its number."""
    if label is None:
        return one, UNJUDGED
    # As STORED orders them.
    worth = np.vstack([one.worth, (label.binary, label.gain, label.value)])
    if not one.subtopics.shape[1]:
        same = np.flatnonzero(one.worth[:, STORED.index("label")] == label.value)
        for level in same[same > UNJUDGED].tolist():
            return one, level
        return replace(one, worth=worth), len(one.worth)
    lowest, highest, sign = one.scale.tolist()
    unmet = (0.0, 0.0, lowest if sign > 0 else highest)
    parts = np.tile(unmet, (one.subtopics.shape[1], 1))
    for name, value, binary, gain in label.each:
        if name in names:  # of a subtopic that is no more, nothing is left to be met
            parts[names.index(name)] = binary, gain, value
    subtopics = np.concatenate([one.subtopics, parts[None]])
    return replace(one, worth=worth, subtopics=subtopics), len(one.worth)
