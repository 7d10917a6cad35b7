"""A pooling method: one declared function in a module of `methods`.

It returns the inclusion probability of every candidate, 0 for those that are not in the pool. Its
declaration lists the config keys and run data it needs: the config check and the reader follow it.
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
class PoolInputs:
    """The input of a pooling method."""

    plan: Plan
    ranked: Rankings  # with scores, if the method declares `scores`
    runs: Sequence[int]  # the pooled runs
    candidates: Candidates  # their documents, down to the method's `reach`
    relevant: Mapping[str, Mapping[str, bool]]  # judgements to replay: topic ('' is all), document

    def rows(self, topic: int) -> Ints:
        """The rows of `ranked` with the rankings of the pooled runs for a topic."""
        return np.array(self.runs) * len(self.ranked.topics) + topic


def generator(seed: int, topic: str) -> np.random.Generator:
    """The random generator of a topic, which depends on the seed and the topic's id alone."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode())])


@dataclass(frozen=True, kw_only=True)
class PoolMethod(Declared[[PoolInputs], Floats]):
    """A pooling method: a function from PoolInputs to the inclusion probability per candidate."""

    reads: tuple[str, ...] = ()  # the keys of `pool` that it uses and some methods do not
    reach: Callable[[Plan], int | None] = lambda _: None  # pooling depth; None: whole rankings
    scores: bool = False  # whether it needs the scores of the runs

    @property
    def replays(self) -> bool:
        return "labels" in self.reads


pooling = PoolMethod.declare
METHODS = Catalogue("pooling method", "pipeline.pooling.methods", of=PoolMethod)
