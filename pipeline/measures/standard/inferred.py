"""Inferred average precision: judgements are a sample of the pool."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import running
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats, Ints

EPSILON = 1e-5  # trec_eval's


def _added(view: View) -> tuple[Ints, Ints, Floats]:
    """Row and rank of every relevant document, and the precision expected down to it.

    Above it the documents of the pool are relevant in the proportion of those judged there, and
    those outside the pool are not.
    """
    row, rank, gain = view.labelled
    relevant = gain > 0
    found = running(row, relevant) - 1  # above the document itself, where it is relevant
    missed = running(row, ~relevant)
    pooled = found + missed
    if view.gains.sampled is not None:
        pooled = pooled + np.cumsum(view.gains.sampled, axis=1)[row, rank]
    chance = (found + EPSILON) / (found + missed + 2 * EPSILON)
    above = np.divide(pooled, rank, out=np.zeros(len(rank)), where=rank > 0)
    expected = 1 / (rank + 1) + rank / (rank + 1) * above * chance
    expected = np.where(rank == 0, 1.0, expected)
    return row[relevant], rank[relevant], expected[relevant]


def parts(view: View) -> Floats:
    """What each relevant document adds: the precision expected down to it, over R."""
    row, rank, added = _added(view)
    spread = np.zeros((len(view.length), view.depth))
    spread[row, rank] = added / np.maximum(view.relevant[row], 1)
    return spread


def _value(view: View) -> Floats:
    row, _, added = _added(view)
    return share(view.sums(row, added), view.relevant)


@measure(
    "InfAP",
    title="Inferred average precision",
    formula="1/R * sum over relevant at rank k of 1/k + (k-1)/k * pooled/(k-1) * "
    "(relevant + e)/(judged + 2e), each counted above k",
    citation="Yilmaz & Aslam, Estimating average precision with incomplete and imperfect "
    "judgments, CIKM 2006; e = 0.00001 as in trec_eval",
    rises=False,
    bounds=anything(_value),
    contributions=parts,
)
def inferred_average_precision(view: View) -> Floats:
    """Average precision estimated where only a sample of the pool was judged."""
    return _value(view)
