"""Declarations of fusion methods and normalisations: one function each, in a module of its own.

A method computes the score of each document of a topic from its ranks and scores in the runs. A
norm first normalises the scores of each run; it affects only methods that use scores. A run that
does not retrieve a document has no effect on its score, except with Borda and Condorcet.
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
    """The rankings of one topic: one row per run and document it retrieves."""

    run: Ints
    place: Ints  # the index of the document in `documents`
    rank: Ints  # from 0
    score: Floats
    documents: NDArray[np.int32]
    length: Ints  # [run]

    def sum(self, value: NDArray[Any]) -> Floats:
        return np.bincount(self.place, weights=value, minlength=len(self.documents)).astype(float)

    @property
    def count(self) -> Floats:
        """The number of runs that retrieve each document."""
        return np.bincount(self.place, minlength=len(self.documents)).astype(float)


@dataclass(frozen=True, kw_only=True)
class FusionMethod(Declared[[Votes, Fusion], Floats]):
    """A fusion method: called with the votes, it returns the score of each document."""


@dataclass(frozen=True, kw_only=True)
class Norm(Declared[[Floats], tuple[Floats, Floats]]):
    """A normalisation: the number subtracted from each row of [run, rank] scores, and the divisor.

    Scores are NaN beyond the end of a ranking, and 0 for a run without documents.
    """


fusion, norm = FusionMethod.declare, Norm.declare
METHODS = Catalogue("fusion method", "pipeline.runs.fusion.methods", of=FusionMethod)
NORMS = Catalogue("norm", "pipeline.runs.fusion.norms", of=Norm)


def fuse(
    number: NDArray[np.int32], score: Floats, *, documents: pa.Array, fusion: Fusion
) -> tuple[NDArray[np.int32], Floats]:
    """One topic's documents and fused scores, best first; ties by document id, descending."""
    ballots = votes(number, score, norm=fusion.norm)
    value = METHODS[fusion.method](ballots, fusion)
    names = documents.take(numbers(ballots.documents)).to_pylist()
    by_name = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__), np.int64))
    # Rounded, since sums of the same numbers in another order differ in the last digits.
    order = np.lexsort((-by_name, -value.round(12)))
    return ballots.documents[order][: fusion.depth], value[order][: fusion.depth]


def votes(number: NDArray[np.int32], score: Floats, *, norm: str) -> Votes:
    """The votes for one topic from [run, rank] document numbers, -1 beyond the end of a ranking."""
    retrieved = number >= 0
    run, rank = np.nonzero(retrieved)
    documents, place = np.unique(number[run, rank], return_inverse=True)
    scaled = normalise(np.where(retrieved, score, np.nan), norm=norm)[run, rank]
    return Votes(run, place.ravel(), rank, scaled, documents, retrieved.sum(axis=1))


def normalise(score: Floats, *, norm: str) -> Floats:
    """Normalise the scores of each row; NaN is no score, and equal scores become 0."""
    if not score.shape[1]:
        return score
    empty: NDArray[np.bool_] = np.all(np.isnan(score), axis=1, keepdims=True)
    shift, width = NORMS[norm](np.where(empty, 0.0, score))
    scaled: Floats = (score - shift) / np.maximum(width, 1e-9)
    return scaled
