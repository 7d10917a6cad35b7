"""Samples under a seed.

A sample depends on the seed and the topic's id alone, so that a further topic changes no other.
"""

import zlib

import numpy as np

from pipeline.storage.arrays import Floats, Ints


def generator(seed: int, topic: str) -> np.random.Generator:
    """The source of chance of one topic."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode())])


def draw(chance: Floats, rows: Ints, size: int, random: np.random.Generator) -> None:
    """Draw `size` rows, or all where there are fewer, and set their chance."""
    size = min(size, len(rows))
    if size:
        chance[random.choice(rows, size, replace=False)] = size / len(rows)
