"""Judgements: the labels of one dimension, one for each key, met with its scale.

Everything a dimension's table holds, as plain arrays; `pipeline.labels.tables` writes them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.labels.scale import Scale
from pipeline.labels.settling import check_scale, settle
from pipeline.storage.arrays import Floats
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

    @property
    def topics(self) -> list[str]:
        """Its topics, in natural order."""
        return sorted({topic for topic in self.topic if topic is not None}, key=natural)


def read(
    files: Sequence[Path], *, scale: Scale, key: str = "topic", conflict: str = "error"
) -> Judgements:
    """The judgements of one dimension from its label files."""
    return settled(map(read_qrels, files), scale=scale, key=key, conflict=conflict)


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
        return _on_scale(*sure, scale)
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
    return _on_scale(topics, [document for _, document in rows], values, scale)


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
    topics: list[str] = []
    documents: list[str] = []
    places: list[int] = []
    for topic in sorted(by_topic, key=natural):
        mine = by_topic[topic]
        ordered = sorted(mine)
        topics += [topic] * len(ordered)
        documents += ordered
        places += [mine[document] for document in ordered]
    return topics, documents, qrels.label[places]


def _on_scale(
    topics: Sequence[str | None], documents: Sequence[str], values: Floats, scale: Scale
) -> Judgements:
    return Judgements(
        topic=topics,
        document=documents,
        label=values,
        binary=scale.binary(values),
        gain=scale.gain(values),
        scale=(scale.lowest, scale.highest, scale.better),
    )
