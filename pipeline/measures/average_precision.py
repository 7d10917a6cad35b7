"""Average precision."""

import numpy as np

from pipeline.gains import Bools, Ints, View
from pipeline.measures.declaration import Bounds, Floats, measure


def _per_relevant(total: Floats, relevant: Floats) -> Floats:
    return np.divide(total, relevant, out=np.zeros_like(total), where=relevant > 0)


def bounds(view: View) -> Bounds:
    """The least and the most average precision any labels of the unjudged documents could give.

    More relevant documents also raise R, so "all relevant" and "none relevant" are not the ends.
    For n more relevant documents the sum of precisions is least when they are the n deepest
    unjudged ones and most when they are the n shallowest (moving one up only raises precisions);
    so every n is tried, by running sums over the ranks.
    """
    value, upper = view.at(None), view.gains.view(view.wanted, mix=view.mix, scenario="upper")
    relevant = value.gain > 0
    unjudged = (upper.gain > 0) & ~relevant
    if view.cut is not None:  # beyond the cut a document can only raise R
        relevant[:, view.cut :] = False
    rank = np.arange(1, relevant.shape[1] + 1)
    inside = rank <= (view.cut or len(rank))
    found = np.cumsum(relevant, axis=1)
    start = (relevant * found / rank).sum(axis=1)
    known = (view.ideal > 0).sum(axis=1)[view.topic]

    def after(marked: Bools) -> Floats:
        """Sum of 1/rank over the marked ranks behind each rank."""
        share = np.where(marked & inside, 1 / rank, 0.0)
        return np.asarray(share[:, ::-1].cumsum(axis=1)[:, ::-1] - share)

    deep = np.where(unjudged & inside, (found + 1) / rank + after(relevant | unjudged), 0.0)
    deepest = deep[:, ::-1].cumsum(axis=1)[:, ::-1]
    more = np.cumsum(unjudged[:, ::-1], axis=1, dtype=np.int64)[:, ::-1]
    low = _least(start, known, deepest, more, unjudged)

    before = np.cumsum(unjudged, axis=1, dtype=np.int64)
    shallow = np.where(unjudged & inside, (found + before) / rank + after(relevant), 0.0)
    high = -_least(-start, known, -shallow.cumsum(axis=1), before, unjudged & inside)
    return low, high


def _least(start: Floats, known: Ints, gained: Floats, more: Ints, tried: Bools) -> Floats:
    """The least of (start + gained) / (known + more) over the tried places and none at all."""
    none = _per_relevant(start, known.astype(float))
    count = np.maximum(known[:, None] + more, 1)
    each = np.where(tried, (start[:, None] + gained) / count, np.inf)
    least: Floats = np.minimum(none, each.min(axis=1, initial=np.inf))
    return least


@measure(
    "AP",
    title="Average precision",
    formula="1/R * sum_k g(k) P@k",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005",
    cutoff="optional",
    bounds=bounds,
)
def average_precision(view: View) -> Floats:
    """Mean of the precision at each relevant document, unretrieved ones giving 0."""
    relevant = view.gain > 0
    rank = np.arange(1, view.depth + 1)
    total = (relevant * np.cumsum(relevant, axis=1) / rank).sum(axis=1)
    return _per_relevant(total, view.relevant)
