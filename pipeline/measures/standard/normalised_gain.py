"""trec_eval's G: gain discounted by what better documents could have stood above."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import ordinal, summed
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.recall import known, share
from pipeline.storage.arrays import Floats, Ints

CITATION = "Buckley, trec_eval"
LEAST = 1.0  # what a rank costs at least


def binary_parts(view: View) -> Floats:
    """What each relevant document adds: less for every document above that is not relevant."""
    row, rank = view.hits
    missed = rank + 1 - ordinal(row)
    added = np.zeros((len(view.length), view.depth))
    added[row, rank] = 1 / np.log2(2 + missed) / np.maximum(view.relevant[row], 1)
    return added


def _binary(view: View) -> Floats:
    row, rank = view.hits
    missed = rank + 1 - ordinal(row)
    return share(view.sums(row, 1 / np.log2(2 + missed)), view.relevant)


@measure(
    "BinG",
    title="Normalised gain, binary",
    formula="1/R * sum over relevant documents of 1 / log2(2 + documents above not relevant)",
    citation=f"{CITATION} binG",
    rises=False,
    bounds=anything(_binary),
    contributions=binary_parts,
)
def binary_gain(view: View) -> Floats:
    """Between average precision and nDCG: what matters is how many misses stand above."""
    return _binary(view)


def _added(view: View) -> tuple[Ints, Ints, Floats]:
    """Row and rank of every document with a gain, and what it adds.

    Its gain, less for what the best ranking would have above it.
    """
    row, rank = view.hits
    gain = view.gained
    cost = np.cumsum(np.maximum(view.ideal, LEAST), axis=1)
    size = cost.shape[1]
    paid = cost[view.topic[row], np.minimum(rank, size - 1)]
    paid = paid + LEAST * np.maximum(rank + 1 - size, 0)
    room = np.maximum(paid - summed(row, gain), 0)
    return row, rank, share(gain / np.log2(2 + room), known(view)[row])


def graded_parts(view: View) -> Floats:
    """What each document adds."""
    row, rank, added = _added(view)
    parts = np.zeros((len(view.length), view.depth))
    parts[row, rank] = added
    return parts


def _graded(view: View) -> Floats:
    row, _, added = _added(view)
    return view.sums(row, added)


@measure(
    "GradedG",
    title="Normalised gain, graded",
    formula="sum_k g(k) / log2(2 + sum_(i<=k) max(ideal g(i), 1) - sum_(i<=k) g(i)) / sum of g "
    "over all judged documents, g = steps above the worst label",
    citation=f"{CITATION} G",
    gain="grade",
    rises=False,
    bounds=anything(_graded),
    contributions=graded_parts,
)
def graded_gain(view: View) -> Floats:
    """As BinG with graded labels: a document counts for more the better those above it are."""
    return _graded(view)
