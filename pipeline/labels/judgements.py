"""Judgements: the labels of one dimension, one per key (topic and document), on its scale.

The arrays hold what the table of a dimension holds; `pipeline.labels.tables` writes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import numpy as np

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.qrels import Qrels
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import natural


@dataclass(frozen=True)
class Judgements:
    """The labels of one dimension, by topic in natural order, then by document."""

    topic: Sequence[str | None]  # None: the label holds for the document in every topic
    document: Sequence[str]
    label: Floats
    binary: Floats
    gain: Floats
    scale: tuple[float, float, str]  # lowest, highest, which end is better
    # If judged by subtopic, `label` is the best label of a document, and these hold all of them:
    subtopics: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    """The subtopics of each topic, with their weights (None without a file of weights)."""
    size: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Number of subtopics of the topic of each label."""
    each: Mapping[str, Floats] = field(default_factory=dict)
    """Label, binary and gain in each subtopic, document after document."""

    @property
    def topics(self) -> list[str]:
        return sorted({topic for topic in self.topic if topic is not None}, key=natural)


def from_qrels(
    qrels_files: Iterable[Qrels], *, scale: Scale, key: str = "topic", conflict: str = "error"
) -> Judgements:
    """The judgements of one dimension from the lines of its files.

    Different labels for one key, in one file or in two, are a conflict: `conflict` sets whether
    that is an error or which label counts. Equal labels count once.
    """
    files = list(qrels_files)
    for qrels in files:
        check_scale(qrels, scale)
    if key == "topic" and len(files) == 1 and (columns := _sort(files[0])) is not None:
        return on_scale(*columns, scale)
    labels: dict[tuple[str, str], list[tuple[float, Path, int]]] = {}
    for qrels in files:
        lines = zip(qrels.topic, qrels.document, qrels.label.tolist(), qrels.line, strict=True)
        for topic, document, value, line in lines:
            pair = ("" if key == "document" else topic, document)
            labels.setdefault(pair, []).append((value, qrels.path, line))
    order = {topic: natural(topic) for topic in {topic for topic, _ in labels}}
    rows = sorted(labels, key=lambda pair: (order[pair[0]], pair[1]))
    values = np.array([resolve_conflict(labels[pair], pair, conflict, scale) for pair in rows])
    topics = [None if key == "document" else topic for topic, _ in rows]
    return on_scale(topics, [document for _, document in rows], values, scale)


def _sort(qrels: Qrels) -> tuple[list[str], list[str], Floats] | None:
    """Sorted topics, documents and labels of a file; None if a key occurs twice, which is rare."""
    by_topic: dict[str, dict[str, int]] = {}
    start = 0
    for topic, lines in groupby(qrels.topic):  # the lines of a topic are usually together
        end = start + len(list(lines))
        numbered = zip(qrels.document[start:end], range(start, end), strict=True)
        by_topic.setdefault(topic, {}).update(numbered)
        start = end
    if sum(map(len, by_topic.values())) < len(qrels.topic):
        return None
    rows = [(topic, sorted(by_topic[topic])) for topic in sorted(by_topic, key=natural)]
    topics = [topic for topic, documents in rows for _ in documents]
    places = [by_topic[topic][document] for topic, documents in rows for document in documents]
    return topics, [name for _, documents in rows for name in documents], qrels.label[places]


def on_scale(
    topics: Sequence[str | None], documents: Sequence[str], values: Floats, scale: Scale
) -> Judgements:
    """Labels with their binary values and gains on a scale."""
    ends = scale.lowest, scale.highest, scale.better
    return Judgements(topics, documents, values, scale.binary(values), scale.gain(values), ends)


def check_scale(qrels: Qrels, scale: Scale) -> None:
    """Refuse a label outside the scale or its gain map."""
    value = qrels.label
    allowed = np.isin(value, scale.cannot_judge)
    allowed |= (value >= scale.lowest) & (value <= scale.highest)
    if scale.gains is not None:
        allowed &= np.isin(value, [*scale.gains, *scale.cannot_judge])
    if allowed.all():
        return
    place = int(np.flatnonzero(~allowed)[0])
    limits = f"the scale {scale.lowest:g} to {scale.highest:g}"
    if scale.gains is not None:
        limits = f"the gain map ({', '.join(f'{gain:g}' for gain in sorted(scale.gains))})"
    what = f"the label {value[place]:g} is outside {limits}"
    fix = "correct the label or the scale, or list the code in cannot_judge"
    raise InputError(Problem(qrels.path, what, fix, line=qrels.line[place]))


def resolve_conflict(
    labels: list[tuple[float, Path, int]], key: tuple[str, ...], conflict: str, scale: Scale
) -> float:
    """The label that counts for one key: topic, document, perhaps subtopic."""
    first, path, line = labels[0]
    if conflict == "first" or all(value == first for value, _, _ in labels):
        return first
    if conflict == "error":
        other, other_path, other_line = next(label for label in labels if label[0] != first)
        topic, document, *subtopic = key
        within = f" in topic '{topic}'" if topic else ""
        within += f", subtopic '{subtopic[0]}'," if subtopic else ""
        what = f"document '{document}'{within} has the label {other:g}, but "
        what += f"{first:g} in {path}, line {line}"
        fix = "remove one, or set conflict to first, max or mean"
        raise InputError(Problem(other_path, what, fix, line=other_line))
    judged = [value for value, _, _ in labels if value not in scale.cannot_judge]
    if not judged:
        return first
    if conflict == "max":  # the best label, whichever end of the scale that is
        return min(judged) if scale.better == "low" else max(judged)
    return sum(judged) / len(judged)
