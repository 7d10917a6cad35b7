"""What a fusion method and a norm are: one declared function each, in a module of its own.

A method gives every document of a topic a score, from what the runs say about it. A norm puts the
scores of a run on one scale first; only methods that add up scores see its effect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.registry import LAST, Catalogue, Entry
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats, Ints


@dataclass(frozen=True)
class Votes:
    """Everything the runs say about one topic: one row a (run, document) that some run holds."""

    run: Ints
    place: Ints  # the document, as a place in `documents`
    rank: Ints  # from 0
    score: Floats
    documents: NDArray[np.int32]
    length: Ints  # [run]

    def sum(self, value: NDArray[Any]) -> Floats:
        """The sum of a value over each document's votes."""
        found = np.bincount(self.place, weights=value, minlength=len(self.documents))
        return found.astype(np.float64)

    @property
    def count(self) -> Floats:
        """How many runs hold each document."""
        return np.bincount(self.place, minlength=len(self.documents)).astype(float)


Score = Callable[[Votes, Fusion], Floats]
Scaling = Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, kw_only=True)
class Method(Entry):
    """A fusion method: called with the votes it gives each of their documents a score."""

    score: Score

    def __call__(self, votes: Votes, given: Fusion) -> Floats:
        """The score of each of `votes.documents`."""
        return self.score(votes, given)


@dataclass(frozen=True, kw_only=True)
class Norm(Entry):
    """A norm: called with scores it says how each run's are put on one scale."""

    scaling: Scaling

    def __call__(self, score: Floats) -> tuple[Floats, Floats]:
        """What is taken from each row of [run, rank] scores, and what the rest is divided by.

        The scores are NaN behind the end of a list, and zeros for a run that has none at all.
        """
        return self.scaling(score)


def fusion(name: str, *, title: str, citation: str, order: int = LAST) -> Callable[[Score], Method]:
    """Declare a fusion method above its function."""

    def declare(score: Score) -> Method:
        return Method(name=name, title=title, citation=citation, order=order, score=score)

    return declare


def norm(name: str, *, title: str, order: int = LAST) -> Callable[[Scaling], Norm]:
    """Declare a norm above its function."""

    def declare(scaling: Scaling) -> Norm:
        return Norm(name=name, title=title, order=order, scaling=scaling)

    return declare


METHODS = Catalogue("fusion method", "pipeline.runs.fusion.methods", of=Method)
NORMS = Catalogue("norm", "pipeline.runs.fusion.norms", of=Norm)
