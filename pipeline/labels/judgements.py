"""Judgements: the labels of one dimension, one for each key, on its scale.

Everything a dimension's table holds, as plain arrays; `pipeline.labels.tables` writes them.
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
    # Judged by subtopic a document has its best label above, and one per subtopic of its topic:
    subtopics: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    """The subtopics of each topic, with their weights if any were given."""
    size: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """[label]: how many subtopics its topic has."""
    each: Mapping[str, Floats] = field(default_factory=dict)
    """Label, binary and gain in each subtopic, one document behind the other."""

    @property
    def topics(self) -> list[str]:
        """Its topics, in natural order."""
        return sorted({topic for topic in self.topic if topic is not None}, key=natural)


def settled(
    every: Iterable[Qrels], *, scale: Scale, key: str = "topic", conflict: str = "error"
) -> Judgements:
    """The judgements of one dimension from the lines of its files.

    Two labels for one key (in one file or in two) are a contradiction: `conflict` says whether that
    is an error or which of them stands; equal ones count once.
    """
    files = list(every)
    for qrels in files:
        check_scale(qrels, scale)
    if key == "topic" and len(files) == 1 and (sure := _without_conflict(files[0])) is not None:
        return on_scale(*sure, scale)
    chosen: dict[tuple[str, str], list[tuple[float, Path, int]]] = {}
    for qrels in files:
        for topic, document, value, line in zip(
            qrels.topic, qrels.document, qrels.label.tolist(), qrels.line, strict=True
        ):
            place = ("" if key == "document" else topic, document)
            chosen.setdefault(place, []).append((value, qrels.path, line))
    order = {topic: natural(topic) for topic in {topic for topic, _ in chosen}}
    rows = sorted(chosen, key=lambda place: (order[place[0]], place[1]))
    values = np.array([settle(chosen[place], place, conflict, scale) for place in rows])
    topics = [None if key == "document" else topic for topic, _ in rows]
    return on_scale(topics, [document for _, document in rows], values, scale)


def _without_conflict(qrels: Qrels) -> tuple[list[str], list[str], Floats] | None:
    """The lines in order, if none repeats another's key; so it is in nearly every file."""
    by_topic: dict[str, dict[str, int]] = {}
    start = 0
    for topic, lines in groupby(qrels.topic):  # mostly the lines of a topic are together
        end = start + len(list(lines))
        numbered = zip(qrels.document[start:end], range(start, end), strict=True)
        by_topic.setdefault(topic, {}).update(numbered)
        start = end
    if sum(map(len, by_topic.values())) < len(qrels.topic):
        return None
    rows = [(topic, sorted(by_topic[topic])) for topic in sorted(by_topic, key=natural)]
    topics = [topic for topic, documents in rows for _ in documents]
    places = [by_topic[topic][document] for topic, documents in rows for document in documents]
    return topics, [one for _, documents in rows for one in documents], qrels.label[places]


def on_scale(
    topics: Sequence[str | None], documents: Sequence[str], values: Floats, scale: Scale
) -> Judgements:
    """Labels with what they are worth on a scale."""
    return Judgements(
        topic=topics,
        document=documents,
        label=values,
        binary=scale.binary(values),
        gain=scale.gain(values),
        scale=(scale.lowest, scale.highest, scale.better),
    )


def check_scale(qrels: Qrels, scale: Scale) -> None:
    """Refuse a label outside the scale or its gain map."""
    value = qrels.label
    known = np.isin(value, scale.cannot_judge)
    known |= (value >= scale.lowest) & (value <= scale.highest)
    if scale.gains is not None:
        known &= np.isin(value, [*scale.gains, *scale.cannot_judge])
    if known.all():
        return
    at = int(np.flatnonzero(~known)[0])
    allowed = f"the scale {scale.lowest:g} to {scale.highest:g}"
    if scale.gains is not None:
        allowed = f"the gain map ({', '.join(f'{gain:g}' for gain in sorted(scale.gains))})"
    what = f"the label {value[at]:g} is outside {allowed}"
    fix = "correct the label, the dimension's scale, or name the code under cannot_judge"
    raise InputError(Problem(qrels.path, what, fix, line=qrels.line[at]))


def settle(
    found: list[tuple[float, Path, int]], place: tuple[str, ...], conflict: str, scale: Scale
) -> float:
    """The label that stands among those given for one key: topic, document, perhaps subtopic."""
    first, path, line = found[0]
    if conflict == "first" or all(value == first for value, _, _ in found):
        return first
    if conflict == "error":
        other, where, at = next(f for f in found if f[0] != first)
        topic, document, *subtopic = place
        within = f" in topic '{topic}'" if topic else ""
        within += f", subtopic '{subtopic[0]}'," if subtopic else ""
        what = f"document '{document}'{within} has the label {other:g}, but "
        what += f"{first:g} in {path}, line {line}"
        fix = "remove one, or set the dimension's conflict rule"
        raise InputError(Problem(where, what, fix, line=at))
    judged = [value for value, _, _ in found if value not in scale.cannot_judge]
    if not judged:
        return first
    if conflict == "max":  # the best label, whichever end of the scale that is
        return min(judged) if scale.better == "low" else max(judged)
    return sum(judged) / len(judged)
