"""trec_eval's G: gain discounted by what better documents could have stood above."""

import numpy as np

from pipeline.gains.gains import View, running
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.recall import known, share
from pipeline.storage.arrays import Floats

CITATION = "Buckley, trec_eval"
LEAST = 1.0  # what a rank costs at least


def binary_parts(view: View) -> Floats:
    """What each relevant document adds: less for every document above that is not relevant."""
    row, rank = view.hits
    missed = rank + 1 - running(row, np.ones(len(row), bool))
    added = np.zeros((len(view.length), view.depth))
    added[row, rank] = 1 / np.log2(2 + missed) / np.maximum(view.relevant[row], 1)
    return added


def _binary(view: View) -> Floats:
    row, rank = view.hits
    missed = rank + 1 - running(row, np.ones(len(row), bool))
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


def graded_parts(view: View) -> Floats:
    """What each document adds: its gain, less for what the best ranking would have above it."""
    ideal = view.ideal_gain(max(view.depth, 1))[:, : view.depth]
    room = np.cumsum(np.maximum(ideal, LEAST), axis=1) - np.cumsum(view.gain, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        added = np.where(view.gain > 0, view.gain / np.log2(2 + np.maximum(room, 0)), 0.0)
        total = known(view)[:, None]
        return np.where(total > 0, added / total, 0.0)


def _graded(view: View) -> Floats:
    return np.asarray(graded_parts(view).sum(axis=1))


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
