"""Gains without files or ids: from arrays of labels at every rank of generated rankings.

For simulations and notebooks. Each rank of each ranking is a separate document, and all documents
of a topic are judged. So the ideal ranking of a topic has the documents of all its rankings.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.config.scale import Scale
from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.storage.arrays import Floats, Ints

MAX_RANGE = 10_000  # from this range of labels on, most levels would be empty


def from_labels(
    labels: Mapping[str, Floats], *, scales: Mapping[str, Scale], runs: Sequence[str] = ()
) -> Gains:
    """The gains of rankings given as labels [run, topic, rank], one array per dimension.

    >>> binary = Scale(0, 1, "high", 1, None, ())
    >>> gains = from_labels({"easy": np.array([[[1.0, 0.0, 1.0]]])}, scales={"easy": binary})
    >>> gains.view({"easy": "binary"}).gain.tolist()
    [[1.0, 0.0, 1.0]]
    """
    count, topics, depth = next(iter(labels.values())).shape
    topic = np.tile(np.arange(topics), count)
    names = tuple(runs) or tuple(f"run{number}" for number in range(1, count + 1))
    documents = _numbers(count * topics * depth)
    dimensions = {}
    for name, values in labels.items():
        scale = scales[name]
        distinct, level = _levels(values)
        codes = level.reshape(count * topics, depth) + 1 + UNJUDGED
        worth = np.column_stack([scale.binary(distinct), scale.gain(distinct), distinct])
        sign = 1.0 if scale.better == "high" else -1.0
        dimensions[name] = Dimension(
            codes=codes.astype(np.uint8 if len(distinct) + 2 <= 256 else np.int32),
            worth=np.vstack([[0.0] * 3, [np.nan] * 3, worth]),
            scale=np.array([scale.lowest, scale.highest, sign]),
            judged_topic=np.repeat(topic, depth),
            judged_document=documents,
            judged_level=codes.ravel(),
        )
    length = np.full(count * topics, depth, np.int64)
    numbers = tuple(str(number) for number in range(1, topics + 1))
    return Gains(names, numbers, topic, length, dimensions)


def _levels(labels: Floats) -> tuple[Floats, Ints]:
    """The distinct labels, and the level of each label; whole numbers need no sorting."""
    lowest, highest = labels.min(), labels.max()
    level = (labels - lowest).astype(np.int64)
    if highest - lowest < MAX_RANGE and np.array_equal(level + lowest, labels):
        return np.arange(lowest, highest + 1), level
    distinct, level = np.unique(labels, return_inverse=True)
    return distinct, np.asarray(level)


def _numbers(count: int) -> NDArray[np.str_]:
    """`count` distinct names: numbers as text, digit by digit, since astype(str) takes longer."""
    width = len(str(count))
    digits = np.arange(count)[:, None] // 10 ** np.arange(width)[::-1] % 10
    return (digits + ord("0")).astype(np.uint32).view(f"<U{width}").ravel()
