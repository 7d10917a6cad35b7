"""Reciprocal rank."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.measures.tie_groups import groups, none_before
from pipeline.storage.arrays import Floats, Ints


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the chance that the first relevant document stands at each rank."""
    relevant = (view.at(None).gain > 0).astype(float)
    before, chance = none_before(relevant, groups(view, tie))
    first = (before * chance)[:, : view.depth]
    values: Floats = first @ (1 / np.arange(1, view.depth + 1))
    return values


def parts(view: View) -> Floats:
    """The first relevant document adds all of it."""
    first = np.cumsum(view.gain > 0, axis=1) == 1
    return np.where(first & (view.gain > 0), 1 / np.arange(1, view.depth + 1), 0.0)


@measure(
    "RR",
    title="Reciprocal rank",
    formula="1 / rank of the first relevant document",
    citation="Kantor & Voorhees, TREC-5, 1996",
    cutoff="optional",
    expected=expected,
    contributions=parts,
)
def reciprocal_rank(view: View) -> Floats:
    """How soon the first relevant document comes."""
    relevant = view.gain > 0
    first = np.argmax(relevant, axis=1) if view.depth else np.zeros(len(relevant), int)
    return np.where(relevant.any(axis=1), 1.0 / (first + 1), 0.0)
