"""Gains without files or ids: labels at every rank of generated lists, straight from arrays.

For simulations and notebooks. Every place of every list is a document of its own, and all of a
topic's documents are judged, so that ideal rankings of a topic are made of all its lists.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.config.scale import Scale
from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.storage.arrays import Floats, Ints

MANY = 10_000  # levels beyond which most would be empty


def from_labels(
    labels: Mapping[str, Floats], *, scales: Mapping[str, Scale], runs: Sequence[str] = ()
) -> Gains:
    """The gains of lists given as labels [run, topic, rank], one such array for each dimension.

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
    for name, given in labels.items():
        scale = scales[name]
        found, level = _levels(given)
        codes = level.reshape(count * topics, depth) + 1 + UNJUDGED
        worth = np.column_stack([scale.binary(found), scale.gain(found), found])
        sign = 1.0 if scale.better == "high" else -1.0
        dimensions[name] = Dimension(
            codes=codes.astype(np.uint8 if len(found) + 2 <= 256 else np.int32),
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
    """The different labels, and which of them each one is; whole numbers need no sorting."""
    lowest, highest = labels.min(), labels.max()
    level = (labels - lowest).astype(np.int64)
    if highest - lowest < MANY and np.array_equal(level + lowest, labels):
        return np.arange(lowest, highest + 1), level
    found, level = np.unique(labels, return_inverse=True)
    return found, np.asarray(level)


def _numbers(count: int) -> NDArray[np.str_]:
    """So many different names: numbers as text, digit by digit, since astype(str) takes longer."""
    width = len(str(count))
    digits = np.arange(count)[:, None] // 10 ** np.arange(width)[::-1] % 10
    return (digits + ord("0")).astype(np.uint32).view(f"<U{width}").ravel()
