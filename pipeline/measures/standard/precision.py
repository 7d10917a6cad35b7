"""Precision and recall: at a cutoff, at R, of the retrieved set; helpers of other measures."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.gains import View
from pipeline.gains.places import Places
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.tie_groups import groups, none_before
from pipeline.storage.arrays import Floats, Ints

# More gain may lower these measures, since another relevant document also raises R.
not_monotone = partial(measure, rises=False, bounds="range")


@measure(
    "SetP",
    title="Precision of the retrieved set",
    formula="sum_i g(i) / retrieved documents",
    citation="van Rijsbergen, Information Retrieval, 1979; trec_eval set_P",
    expected="linear",
)
@measure(
    "P",
    title="Precision at k",
    formula="1/k * sum_(i<=k) g(i)",
    citation="van Rijsbergen, Information Retrieval, 1979",
    cutoff="required",
    expected="linear",
)
def precision(view: View) -> Floats:
    """The share of relevant documents, of all or the first k; missing ranks are nonrelevant."""
    return share(view.total, retrieved(view))


def share(part: Floats, total: Floats) -> Floats:
    """part / total, or 0 where the total is 0."""
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)


def topic_gain(view: View) -> Floats:
    """[row]: the total gain of the topic's judged documents; with binary gains, R."""
    return np.asarray(view.ideal.sum(axis=1)[view.topic])


def hit_count(view: View) -> Floats:
    """[row]: the number of documents with a gain."""
    row, _ = view.hits
    return view.sums(row, np.ones(len(row)))


def over_relevant(contributions: Callable[[View], Places]) -> Callable[[View], Floats]:
    """The contributions of each rank to a measure that divides a sum over documents by R."""

    def parts(view: View) -> Floats:
        row, rank, added = contributions(view)
        return view.spread(row, rank, share(added, view.relevant[row]))

    return parts


def unjudged_gain(view: View) -> tuple[Floats, Floats]:
    """[row]: the gain that unjudged documents could have, within the cut and after it."""
    more = view.under("upper").gain - view.under("value").gain
    return more[:, : view.depth].sum(axis=1), more[:, view.depth :].sum(axis=1)


def recall_bounds(view: View) -> Bounds:
    """Lowest if all unjudged documents after the cut are relevant, highest if those within are."""
    gain, total, (within, behind) = view.gain.sum(axis=1), topic_gain(view), unjudged_gain(view)
    return share(gain, total + behind), share(gain + within, total + within)


@measure(
    "SetR",
    title="Recall of the retrieved set",
    formula="sum_i g(i) / sum of g over all judged documents",
    citation="van Rijsbergen, Information Retrieval, 1979; trec_eval set_recall",
    bounds=recall_bounds,
    expected="linear",
)
@measure(
    "R",
    title="Recall at k",
    formula="sum_(i<=k) g(i) / sum of g over all judged documents",
    citation="van Rijsbergen, Information Retrieval, 1979; graded: Kekalainen & Jarvelin, "
    "JASIST 53(13), 2002",
    cutoff="required",
    bounds=recall_bounds,
    expected="linear",
)
def recall(view: View) -> Floats:
    """The share of the known relevant documents that was retrieved, in the first k ranks or all."""
    return share(view.total, topic_gain(view))


BETA = Param(
    default=1, low=0, open_low=True, meaning="how many times as important recall is as precision"
)


def retrieved(view: View) -> Floats:
    """[row]: the number of retrieved documents; with a cutoff always k, as in P@k."""
    if view.cut is not None:
        return np.full(len(view.length), float(view.cut))
    return view.length.astype(float)


def f_bounds(view: View, *, beta: float) -> Bounds:
    """Another relevant document raises the numerator more; after the cut, only the denominator."""
    gain, total, (within, behind) = view.gain.sum(axis=1), topic_gain(view), unjudged_gain(view)
    size, weight = retrieved(view), beta * beta
    lower = (1 + weight) * share(gain, weight * (total + behind) + size)
    return lower, (1 + weight) * share(gain + within, weight * (total + within) + size)


def e_bounds(view: View, *, beta: float) -> Bounds:
    """1 minus the bounds of F."""
    lower, upper = f_bounds(view, beta=beta)
    return 1 - upper, 1 - lower


@measure(
    "SetF",
    title="F measure",
    formula="(1 + beta^2) P R / (beta^2 P + R)",
    citation="van Rijsbergen, Information Retrieval, 1979, chapter 7; trec_eval's set_F.x has "
    "x = beta^2",
    params={"beta": BETA},
    cutoff="optional",
    bounds=f_bounds,
    expected="linear",
)
def f_measure(view: View, *, beta: float) -> Floats:
    """The weighted harmonic mean of precision and recall, of the whole set or the first k."""
    weight = beta * beta
    return (1 + weight) * share(view.total, weight * topic_gain(view) + retrieved(view))


@measure(
    "SetE",
    title="E measure",
    formula="1 - (1 + beta^2) P R / (beta^2 P + R)",
    citation="van Rijsbergen, Information Retrieval, 1979, chapter 7",
    params={"beta": BETA},
    cutoff="optional",
    unretrieved=1.0,
    rises=False,
    bounds=e_bounds,
    expected="linear",
)
def e_measure(view: View, *, beta: float) -> Floats:
    """van Rijsbergen's effectiveness: lower is better, and 0 is perfect."""
    return 1 - f_measure(view, beta=beta)


BUCKLEY = "Buckley, trec_eval"


@not_monotone(
    "SetRelP",
    title="Relative precision of the retrieved set",
    graded=False,
    formula="relevant documents retrieved / min(documents retrieved, R)",
    citation=f"{BUCKLEY} set_relative_P",
)
@not_monotone(
    "RelP",
    title="Relative precision at k",
    graded=False,
    formula="relevant documents in the first k ranks / min(k, R)",
    citation=f"{BUCKLEY} relative_P",
    cutoff="required",
)
def relative_precision(view: View) -> Floats:
    """Precision divided by its maximum: 1 if R or k relevant documents are retrieved."""
    return share(hit_count(view), np.minimum(view.relevant, retrieved(view)))


@not_monotone(
    "SetMAP",
    title="Average precision of the retrieved set",
    graded=False,
    formula="precision * recall of the retrieved set",
    citation=f"{BUCKLEY} set_map",
)
def set_average_precision(view: View) -> Floats:
    """Average precision of a set whose order is unknown."""
    hits = hit_count(view)
    return share(hits * hits, view.relevant * view.length)


def _first(values: NDArray[Any], count: Ints, *, dtype: Any = np.float64) -> NDArray[Any]:
    """The sum of the first `count` values of each row; counts are [row] or [row, n]."""
    reach = min(values.shape[1], int(count.max(initial=0)))
    running = np.zeros((len(values), reach + 1), dtype)
    np.cumsum(values[:, :reach], axis=1, out=running[:, 1:])
    places = np.minimum(count, reach).reshape(len(values), -1)
    return np.take_along_axis(running, places, axis=1).reshape(count.shape)


def r_bounds(view: View) -> Bounds:
    """With n relevant unjudged documents the cut is at R + n.

    For each n, as many of them as possible are after the cut, or before it.
    """
    upper = view.under("upper")
    relevant = view.gain > 0
    candidates = (upper.gain > 0) & ~relevant
    count = candidates.sum(axis=1)[:, None]
    more = np.arange(int(count.max(initial=0)) + 1, dtype=np.int32)
    relevant_count = view.relevant.astype(np.int64)[:, None] + more
    hits = _first(relevant, relevant_count, dtype=np.int32)
    inside = _first(candidates, relevant_count, dtype=np.int32)
    share = 1 / np.maximum(relevant_count, 1)
    low = (hits + np.maximum(more - (count - inside), 0)) * share
    high = (hits + np.minimum(more, inside)) * share
    low[more > count] = np.inf  # more than there are
    high[more > count] = -np.inf
    return low.min(axis=1), high.max(axis=1)


def r_expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the probability of relevance at a rank is the share in its group."""
    relevant = (view.gain > 0).astype(float)
    ties = groups(view, tie)
    chance = ties.total(relevant) / ties.size
    return share(_first(chance, view.relevant.astype(np.int64)), view.relevant)


@measure(
    "Rprec",
    title="R-precision",
    graded=False,
    formula="relevant documents in the first R ranks / R",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005",
    bounds=r_bounds,
    expected=r_expected,
)
def r_precision(view: View) -> Floats:
    """Precision where precision and recall meet; 0 for a topic without relevant documents."""
    return multiple_precision(view, mult=1.0)


@not_monotone(
    "RprecMult",
    title="Precision at a multiple of R",
    graded=False,
    formula="relevant documents in the first c ranks / c, c = floor(mult * R + 0.9)",
    citation="Buckley, trec_eval Rprec_mult",
    params={"mult": Param(1.0, low=0, open_low=True, meaning="how many times R")},
)
def multiple_precision(view: View, *, mult: float) -> Floats:
    """Precision at a depth in proportion to the topic's number of relevant documents."""
    depth = np.floor(mult * view.relevant + 0.9)
    row, rank = view.hits
    return share(view.sums(row, (rank < depth[row]).astype(float)), depth)


def success_expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the probability of a relevant document in the first k ranks."""
    before, chance = none_before((view.at(None).gain > 0).astype(float), groups(view, tie))
    last = view.depth - 1
    return np.asarray(1 - before[:, last] * (1 - chance[:, last]))


@measure(
    "Success",
    title="Success at k",
    graded=False,
    formula="1 if any of the first k documents is relevant, else 0",
    citation="Craswell & Hawking, TREC 2004 Web track; trec_eval success",
    cutoff="required",
    expected=success_expected,
)
def success(view: View) -> Floats:
    """Whether the first k ranks have a relevant document."""
    return (hit_count(view) > 0).astype(float)
