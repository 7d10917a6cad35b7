"""nDCG averaged over points of the ranking: at relevant documents, and where the ideal falls."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import summed
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.dcg import discount
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats

CITATION = "Buckley, trec_eval"


def _best(view: View) -> Floats:
    """[topic, n]: DCG of the ideal ranking down to rank n; nothing at 0."""
    ideal = view.ideal * discount(view.ideal.shape[1])
    return np.concatenate([np.zeros((len(ideal), 1)), np.cumsum(ideal, axis=1)], axis=1)


def _at_relevant(view: View) -> Floats:
    row, rank = view.hits
    gained = view.gained * discount(view.depth)[rank]
    best = _best(view)
    place = np.minimum(rank + 1, best.shape[1] - 1)
    total = view.sums(row, share(summed(row, gained), best[view.topic[row], place]))
    whole = share(view.sums(row, gained), best[view.topic, -1])
    count = (view.ideal > 0).sum(axis=1)[view.topic].astype(float)
    missed = count - np.bincount(row, minlength=len(view.length))
    return share(total + missed * whole, count)


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
    row, rank = view.hits
    gained = view.gained * discount(view.depth)[rank]
    best = _best(view)
    behind = np.concatenate([view.ideal[:, 1:], np.zeros((len(view.ideal), 1))], axis=1)
    falls = (view.ideal > 0) & (behind < view.ideal)  # rank k + 1 gains less than rank k
    total, count = np.zeros(len(view.length)), falls.sum(axis=1)[view.topic].astype(float)
    for level in range(int(falls.sum(axis=1).max(initial=0))):
        # The rank of each topic's fall number `level`; 0, where there is none, adds nothing.
        at = ((np.cumsum(falls, axis=1) <= level).sum(axis=1) + 1) * (falls.sum(axis=1) > level)
        cut = at[view.topic]
        found = view.sums(row, np.where(rank < cut[row], gained, 0.0))
        total += share(found, best[view.topic, cut])
    # A list that goes on behind the last document with a gain counts once more, as a whole.
    last = (view.ideal > 0).sum(axis=1)[view.topic]
    longer = (view.length > last + 1) & (last > 0)
    whole = share(view.sums(row, gained), best[view.topic, -1])
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
