"""One topic fused: what the runs say about it, and the ranking that comes of it.

Runs that do not hold a document say nothing about it, except to Borda and Condorcet.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.runs.fusion.declaration import METHODS, NORMS, Votes
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats
from pipeline.storage.arrow import numbers


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
