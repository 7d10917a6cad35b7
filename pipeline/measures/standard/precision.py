"""Precision and recall: at a cutoff, at R, of the retrieved set; and what measures share."""

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

# More gain may lower these measures, since a further relevant document raises R, too.
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
    """The share that is relevant, of all or of the first k; a short list is filled with nothing."""
    return share(view.total, retrieved(view))


def share(part: Floats, total: Floats) -> Floats:
    """found / all, and 0 where there is nothing to find."""
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)


def topic_gain(view: View) -> Floats:
    """[row]: the gain of all judged documents of the topic; their number, if gains are binary."""
    return np.asarray(view.ideal.sum(axis=1)[view.topic])


def hit_count(view: View) -> Floats:
    """[row]: how many documents have a gain."""
    row, _ = view.hits
    return view.sums(row, np.ones(len(row)))


def over_relevant(contributions: Callable[[View], Places]) -> Callable[[View], Floats]:
    """What each rank adds to a measure that divides by R what some documents add."""

    def parts(view: View) -> Floats:
        row, rank, added = contributions(view)
        return view.spread(row, rank, share(added, view.relevant[row]))

    return parts


def unjudged_gain(view: View) -> tuple[Floats, Floats]:
    """[row]: the gain that unjudged documents could still have, within the cut and behind it."""
    upper = view.under("upper")
    lower = view.under("value")
    more = upper.gain - lower.gain
    return more[:, : view.depth].sum(axis=1), more[:, view.depth :].sum(axis=1)


def recall_bounds(view: View) -> Bounds:
    """Least when only what lies behind the cut turns out relevant, most when it all lies before."""
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
    """The share of what is known to be relevant that was retrieved, in the first k ranks or all."""
    return share(view.total, topic_gain(view))


BETA = Param(
    default=1, low=0, open_low=True, meaning="how many times recall matters more than precision"
)


def retrieved(view: View) -> Floats:
    """[row]: how many documents the set has; the first k are always k, as in P@k."""
    if view.cut is not None:
        return np.full(len(view.length), float(view.cut))
    return view.length.astype(float)


def f_bounds(view: View, *, beta: float) -> Bounds:
    """One more relevant document adds more above than below; behind the cut, only below."""
    gain, total, (within, behind) = view.gain.sum(axis=1), topic_gain(view), unjudged_gain(view)
    size, weight = retrieved(view), beta * beta
    return (
        (1 + weight) * share(gain, weight * (total + behind) + size),
        (1 + weight) * share(gain + within, weight * (total + within) + size),
    )


def e_bounds(view: View, *, beta: float) -> Bounds:
    """Those of F, turned round."""
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
    weight = beta * beta  # P = found / size and R = found / every put into the formula
    below = weight * topic_gain(view) + retrieved(view)
    return (1 + weight) * share(view.total, below)


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
    """van Rijsbergen's effectiveness: 0 is perfect, so a better run has less of it."""
    return 1 - f_measure(view, beta=beta)


BUCKLEY = "Buckley, trec_eval"


@not_monotone(
    "SetRelP",
    title="Relative precision of the retrieved set",
    formula="relevant documents retrieved / min(documents retrieved, R)",
    citation=f"{BUCKLEY} set_relative_P",
)
@not_monotone(
    "RelP",
    title="Relative precision at k",
    formula="relevant documents in the first k ranks / min(k, R)",
    citation=f"{BUCKLEY} relative_P",
    cutoff="required",
)
def relative_precision(view: View) -> Floats:
    """Precision as a share of the best there could be: 1 once all R or all k are relevant."""
    return share(hit_count(view), np.minimum(view.relevant, retrieved(view)))


@not_monotone(
    "SetMAP",
    title="Average precision of the retrieved set",
    formula="precision * recall of the retrieved set",
    citation=f"{BUCKLEY} set_map",
)
def set_average_precision(view: View) -> Floats:
    """What average precision comes to where the order of the set is not known."""
    hits = hit_count(view)
    return share(hits * hits, view.relevant * view.length)


def _first(values: NDArray[Any], count: Ints, *, dtype: Any = np.float64) -> NDArray[Any]:
    """Sum of the first `count` of each row; counts are [row] or [row, n]."""
    reach = min(values.shape[1], int(count.max(initial=0)))
    running = np.zeros((len(values), reach + 1), dtype)
    np.cumsum(values[:, :reach], axis=1, out=running[:, 1:])
    places = np.minimum(count, reach).reshape(len(values), -1)
    return np.take_along_axis(running, places, axis=1).reshape(count.shape)


def r_bounds(view: View) -> Bounds:
    """Every number n of unjudged documents that turn out relevant moves the cut to R + n.

    For each n as many of them as possible lie behind the cut, or before it.
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
    """Exact under ties: each rank holds a relevant document as often as its group has them."""
    relevant = (view.gain > 0).astype(float)
    ties = groups(view, tie)
    chance = ties.total(relevant) / ties.size
    return share(_first(chance, view.relevant.astype(np.int64)), view.relevant)


@measure(
    "Rprec",
    title="R-precision",
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
    formula="relevant documents in the first c ranks / c, c = floor(mult * R + 0.9)",
    citation="Buckley, trec_eval Rprec_mult",
    params={"mult": Param(1.0, low=0, open_low=True, meaning="how many times R")},
)
def multiple_precision(view: View, *, mult: float) -> Floats:
    """Topics looked at where they are alike: at the same share of what there is to find."""
    depth = np.floor(mult * view.relevant + 0.9)
    row, rank = view.hits
    return share(view.sums(row, (rank < depth[row]).astype(float)), depth)


def success_expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the chance of a relevant document among the first k."""
    relevant = (view.at(None).gain > 0).astype(float)
    before, chance = none_before(relevant, groups(view, tie))
    last = view.depth - 1
    return np.asarray(1 - before[:, last] * (1 - chance[:, last]))


@measure(
    "Success",
    title="Success at k",
    formula="1 if any of the first k documents is relevant, else 0",
    citation="Craswell & Hawking, TREC 2004 Web track; trec_eval success",
    cutoff="required",
    expected=success_expected,
)
def success(view: View) -> Floats:
    """Whether a user who looks at k documents finds anything."""
    return (hit_count(view) > 0).astype(float)
