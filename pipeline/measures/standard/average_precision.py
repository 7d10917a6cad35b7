"""Average precision."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import ordinal
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Bools, Floats, Ints


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


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties (McSherry & Najork, ECIR 2008, section 2.3).

    A rank of a group with s relevant of n documents holds a relevant one with chance s/n; then each
    of the i places of the group before it does with chance (s - 1)/(n - 1).
    """
    relevant = (view.at(None).gain > 0).astype(float)
    found = groups(view, tie)
    s, n = found.total(relevant), found.size
    others = found.place * np.maximum(s - 1, 0) / np.maximum(n - 1, 1)
    precision = (found.before(relevant) + 1 + others) / np.arange(1, relevant.shape[1] + 1)
    return _per_relevant((s / n * precision)[:, : view.depth].sum(axis=1), view.relevant)


def parts(view: View) -> Floats:
    """What each relevant document adds: the precision down to it, over R."""
    row, rank = view.hits
    added = np.zeros((len(view.length), view.depth))
    found = ordinal(row)
    added[row, rank] = found / (rank + 1) / view.relevant[row]
    return added


def _precisions(view: View) -> Floats:
    row, rank = view.hits
    found = ordinal(row)
    return _per_relevant(view.sums(row, found / (rank + 1)), view.relevant)


@measure(
    "AP",
    title="Average precision",
    formula="1/R * sum_k g(k) P@k",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005",
    cutoff="optional",
    bounds=bounds,
    expected=expected,
    contributions=parts,
)
def average_precision(view: View) -> Floats:
    """Mean of the precision at each relevant document, unretrieved ones giving 0."""
    return _precisions(view)


@measure(
    "GMAP",
    title="Geometric mean average precision",
    formula="exp(mean over topics of ln max(AP, 0.00001))",
    citation="Robertson, On GMAP and other transformations, CIKM 2006; floor as in trec_eval",
    cutoff="optional",
    aggregate="geometric",
    bounds=bounds,
    expected=expected,
    contributions=parts,
)
def geometric_average_precision(view: View) -> Floats:
    """Average precision of a topic; over topics poor ones weigh more than in the mean."""
    return _precisions(view)
