"""nDCG averaged over points of the ranking: at relevant documents, and where the ideal falls."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.dcg import discount
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats

CITATION = "Buckley, trec_eval"


def _sums(view: View) -> tuple[Floats, Floats, Floats]:
    """Running DCG of the list, that of the ideal one, and the ideal gains, all as deep as needed.

    With a column for no rank at all in front.
    """
    depth = max(view.depth, view.ideal.shape[1], 1)
    ideal = view.ideal_gain(depth)
    gain = np.zeros((len(ideal), depth))
    gain[:, : view.depth] = view.gain
    weight = discount(depth)
    none = np.zeros((len(ideal), 1))
    return (
        np.concatenate([none, np.cumsum(gain * weight, axis=1)], axis=1),
        np.concatenate([none, np.cumsum(ideal * weight, axis=1)], axis=1),
        ideal,
    )


def _at_relevant(view: View) -> Floats:
    found, best, ideal = _sums(view)
    relevant = np.zeros_like(ideal, bool)
    relevant[:, : view.depth] = view.gain > 0
    at = np.divide(found, best, out=np.zeros_like(found), where=best > 0)
    total = np.where(relevant, at[:, 1:], 0.0).sum(axis=1)
    count = (ideal > 0).sum(axis=1).astype(float)
    total += (count - relevant.sum(axis=1)) * at[:, -1]
    return share(total, count)


@measure(
    "nDCGrel",
    title="nDCG averaged over relevant documents",
    formula="mean of nDCG@k over the ranks k of all documents with a gain; one that is not "
    "retrieved counts with the nDCG of the whole list",
    citation=f"{CITATION} ndcg_rel",
    gain="grade",
    rises=False,
    bounds=anything(_at_relevant),
)
def ndcg_at_relevant(view: View) -> Floats:
    """nDCG at depths that mean the same in every topic: where something was found."""
    return _at_relevant(view)


def _at_levels(view: View) -> Floats:
    found, best, ideal = _sums(view)
    depth = ideal.shape[1]
    behind = np.concatenate([ideal[:, 1:], np.zeros((len(ideal), 1))], axis=1)
    falls = (ideal > 0) & (behind < ideal)  # rank k + 1 of the ideal gains less than rank k
    at = np.divide(found, best, out=np.zeros_like(found), where=best > 0)
    total, count = np.where(falls, at[:, 1:], 0.0).sum(axis=1), falls.sum(axis=1).astype(float)
    # A list that goes on behind the last document with a gain counts once more, as a whole.
    last = (ideal > 0).sum(axis=1)
    longer = (view.length > last + 1) & (last > 0)
    whole = np.take_along_axis(at, np.minimum(view.length, depth)[:, None], axis=1)[:, 0]
    value = share(total + np.where(longer, whole, 0.0), count + longer)
    relevant = view.gains.view(dict.fromkeys(view.wanted, "binary"), mix=view.mix).relevant
    return np.where(relevant > 0, value, 0.0)


@measure(
    "RnDCG",
    title="nDCG averaged over the levels of relevance",
    formula="mean of nDCG@k over the ranks k where the gain of the ideal ranking falls, and of "
    "the nDCG of the list if it is longer; 0 without relevant documents",
    citation=f"{CITATION} Rndcg",
    gain="grade",
    rises=False,
    bounds=anything(_at_levels),
)
def ndcg_at_levels(view: View) -> Floats:
    """nDCG at depths that mean the same in every topic: where a level of relevance is used up."""
    return _at_levels(view)
