"""What a fusion method and a norm are: one declared function each, in a module of its own.

A method gives every document of a topic a score, from what the runs say about it. A norm puts the
scores of a run on one scale first; only methods that add up scores see its effect. Runs that do
not hold a document say nothing about it, except to Borda and Condorcet.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.config.fusion import Fusion
from pipeline.registry import Catalogue, Declared
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import numbers


@dataclass(frozen=True)
class Votes:
    """Everything the runs say about one topic: one row per run and document it holds."""

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


@dataclass(frozen=True, kw_only=True)
class Method(Declared[[Votes, Fusion], Floats]):
    """A fusion method: called with the votes it returns the score of each of their documents."""


@dataclass(frozen=True, kw_only=True)
class Norm(Declared[[Floats], tuple[Floats, Floats]]):
    """A norm: what is taken from each row of [run, rank] scores, and what divides the rest.

    The scores are NaN behind the end of a ranking, and zeros for a run that has none at all.
    """


fusion, norm = Method.declare, Norm.declare
METHODS = Catalogue("fusion method", "pipeline.runs.fusion.methods", of=Method)
NORMS = Catalogue("norm", "pipeline.runs.fusion.norms", of=Norm)


def fused(
    number: NDArray[np.int32], score: Floats, *, documents: pa.Array, fusion: Fusion
) -> tuple[NDArray[np.int32], Floats]:
    """One topic's documents and fused scores, best first; ties by document id, descending."""
    said = votes(number, score, norm=fusion.norm)
    value = METHODS[fusion.method](said, fusion)
    names = documents.take(numbers(said.documents)).to_pylist()
    by_name = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__), np.int64))
    # Sums of the same numbers in another order differ in the last digits; such are ties.
    order = np.lexsort((-by_name, -value.round(12)))
    return said.documents[order][: fusion.depth], value[order][: fusion.depth]


def votes(number: NDArray[np.int32], score: Floats, *, norm: str) -> Votes:
    """What runs ([run, rank] document numbers, -1 where a list has ended) say about one topic."""
    held = number >= 0
    run, rank = np.nonzero(held)
    documents, place = np.unique(number[run, rank], return_inverse=True)
    scaled = normalised(np.where(held, score, np.nan), norm=norm)[run, rank]
    return Votes(run, place.ravel(), rank, scaled, documents, held.sum(axis=1))


def normalised(score: Floats, *, norm: str) -> Floats:
    """Scores of each row on one scale; NaN is no score. A row of equal scores becomes zeros."""
    if not score.shape[1]:
        return score
    empty: NDArray[np.bool_] = np.all(np.isnan(score), axis=1, keepdims=True)
    shift, width = NORMS[norm](np.where(empty, 0.0, score))
    scaled: Floats = (score - shift) / np.maximum(width, 1e-9)
    return scaled
