"""Judgements: the labels of one dimension, one for each key, met with its scale.

Everything a dimension's table holds, as plain arrays; `pipeline.labels.tables` writes them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    chosen: dict[tuple[str, str], list[tuple[float, Path, int]]] = {}
    for qrels in every:
        check_scale(qrels, scale)
        for topic, document, value, line in zip(
            qrels.topic, qrels.document, qrels.label.tolist(), qrels.line, strict=True
        ):
            place = ("" if key == "document" else topic, document)
            chosen.setdefault(place, []).append((value, qrels.path, line))
    order = {topic: natural(topic) for topic in {topic for topic, _ in chosen}}
    rows = sorted(chosen, key=lambda place: (order[place[0]], place[1]))
    values = np.array([settle(chosen[place], place, conflict, scale) for place in rows])
    return Judgements(
        topic=[None if key == "document" else topic for topic, _ in rows],
        document=[document for _, document in rows],
        label=values,
        binary=scale.binary(values),
        gain=scale.gain(values),
        scale=(scale.lowest, scale.highest, scale.better),
    )
