"""A pooling method: one declared function in a module of `methods`.

It gives every candidate the probability with which it was to be in the pool, 0 where it is not. Its
declaration says what it needs, so that the config is checked and the runs are read accordingly.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.config.pool import Plan
from pipeline.pooling.candidates import Candidates
from pipeline.registry import Catalogue, Declared
from pipeline.runs.rankings import Rankings
from pipeline.storage.arrays import Floats, Ints


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What there is to choose from: all a method sees."""

    plan: Plan
    ranked: Rankings  # with scores, if the method needs them
    runs: Sequence[int]  # those that give to the pool
    candidates: Candidates  # what they hold, as deep as the method reads them
    relevant: Mapping[str, Mapping[str, bool]]  # topic ('' is all) -> document; what is replayed

    def rows(self, topic: int) -> Ints:
        """The rows of `ranked` that hold the pooled runs' rankings of a topic."""
        return np.array(self.runs) * len(self.ranked.topics) + topic


def generator(seed: int, topic: str) -> np.random.Generator:
    """The random numbers of one topic: they depend on the seed and the topic's id alone."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode())])


@dataclass(frozen=True, kw_only=True)
class Method(Declared[[Offer], Floats]):
    """A pooling method: called with an offer it returns each candidate's probability, 0 if none."""

    reads: tuple[str, ...] = ()  # the keys of `pool` that have a meaning for some methods only
    reach: Callable[[Plan], int | None] = lambda _: None  # how deep runs are read; None: all
    scores: bool = False  # whether it needs the systems' scores

    @property
    def replays(self) -> bool:
        """Whether it replays the judgements there are."""
        return "labels" in self.reads


pooling = Method.declare
METHODS = Catalogue("pooling method", "pipeline.pooling.methods", of=Method)
