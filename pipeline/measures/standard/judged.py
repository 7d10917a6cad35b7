"""Counts of judged, unjudged, relevant and retrieved documents, and utility."""

from functools import partial

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.standard.precision import hit_count, share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Floats, Ints

count = partial(  # a number of documents, summed over the topics
    measure, citation="Buckley, trec_eval, 1991-2022", range=(0.0, np.inf), aggregate="sum"
)


def judged_bounds(view: View) -> Bounds:
    """Further labels can only raise it, up to 1."""
    return judged(view), (view.length > 0).astype(float)


def _chances(view: View, tie: Ints) -> Floats:
    """[row]: judged documents within the cut, averaged over all orders of ties."""
    judged_ = view.at(None).judged.astype(float)
    ties = groups(view, tie)
    return np.asarray((ties.total(judged_) / ties.size)[:, : view.depth].sum(axis=1))


@measure(
    "Judged",
    title="Share of judged documents",
    formula="judged documents in the first k ranks / documents there",
    citation="ir_measures Judged; Buckley, Dimmick, Soboroff & Voorhees, SIGIR 2006 on why to look",
    cutoff="optional",
    gain="judged",
    bounds=judged_bounds,
    expected=lambda view, tie: share(_chances(view, tie), view.length.astype(float)),
)
def judged(view: View) -> Floats:
    """The share of the retrieved documents that are judged, at most the first k."""
    return share(view.judged.sum(axis=1).astype(float), view.length.astype(float))


@count(
    "Unjudged",
    title="Number of unjudged documents",
    formula="documents in the first k ranks without a label",
    cutoff="optional",
    gain="judged",
    rises=False,
    bounds="falling",
    expected=lambda view, tie: view.length - _chances(view, tie),
)
def unjudged(view: View) -> Floats:
    """The number of unjudged documents in the ranking."""
    return np.asarray(view.length - view.judged.sum(axis=1).astype(float))


@count(
    "NumRet",
    title="Number of retrieved documents",
    graded=False,
    formula="documents in the ranking; NumRet(rel=x): those with label x or better",
    expected="linear",
)
def retrieved(view: View) -> Floats:
    """trec_eval's num_ret; with rel=, its num_rel_ret, as in ir_measures."""
    if any(reading.startswith("rel=") for reading in view.readings.values()):
        return view.total
    return view.length.astype(float)


@count(
    "NumRel",
    title="Number of relevant documents",
    graded=False,
    formula="R, the judged documents with any gain",
    unretrieved=None,
    bounds=lambda view: (view.relevant, view.relevant + view.unjudged),
    expected="linear",
)
def relevant(view: View) -> Floats:
    """trec_eval's num_rel: relevant documents of the topic, independent of the run."""
    return view.relevant


@count(
    "NumRelRet",
    title="Number of relevant documents retrieved",
    formula="documents in the first k ranks with any gain",
    cutoff="optional",
    expected="linear",
)
def relevant_retrieved(view: View) -> Floats:
    """trec_eval's num_rel_ret; graded gains are summed."""
    return view.total


def nonrelevant_bounds(view: View) -> Bounds:
    """Every retrieved unjudged document might be nonrelevant."""
    count = nonrelevant_retrieved(view)
    return count, count + (view.retrieved & ~view.judged).sum(axis=1)


@count(
    "NumNonrelRet",
    title="Number of judged nonrelevant documents retrieved",
    graded=False,
    formula="documents of the ranking that are judged and have no gain",
    rises=False,
    bounds=nonrelevant_bounds,
)
def nonrelevant_retrieved(view: View) -> Floats:
    """trec_eval's num_nonrel_judged_ret."""
    row, _, gain = view.judged_places
    return view.sums(row, (gain <= 0).astype(float))


@measure(
    "UnjudgedShare",
    title="Share of unjudged documents at k",
    formula="documents in the first k ranks without a label / k",
    citation="trec_eval 10 unj",
    cutoff="required",
    gain="judged",
    rises=False,
    bounds="falling",
)
def unjudged_share(view: View) -> Floats:
    """The share of the first k ranks with unjudged documents; missing ranks count as judged."""
    assert view.cut is not None
    return unjudged(view) / view.cut


def utility_bounds(view: View, *, hit: float, noise: float, **values: float) -> Bounds:
    """Each retrieved unjudged document may change from noise to a hit."""
    value = utility(view, hit=hit, noise=noise, **values)
    change = (hit - noise) * view.unjudged
    return value + np.minimum(change, 0), value + np.maximum(change, 0)


@measure(
    "Utility",
    title="Utility of the retrieved set",
    graded=False,
    formula="hit * relevant retrieved + noise * others retrieved + miss * relevant not retrieved "
    "+ rest * others not retrieved, of a collection of documents",
    citation="Buckley, trec_eval utility; Lewis, The TREC-4 filtering track, 1995",
    params={
        "hit": Param(1.0, meaning="utility of a relevant document retrieved"),
        "noise": Param(-1.0, meaning="utility of another document retrieved"),
        "miss": Param(0.0, meaning="utility of a relevant document not retrieved"),
        "rest": Param(0.0, meaning="utility of another document not retrieved"),
        "collection": Param(0.0, low=0, meaning="number of documents in the collection"),
    },
    range=(-np.inf, np.inf),
    rises=False,
    bounds=utility_bounds,
)
def utility(
    view: View, *, hit: float, noise: float, miss: float, rest: float, collection: float
) -> Floats:
    """The value of the retrieved set for a user who pays for each nonrelevant document read."""
    relevant, retrieved_ = hit_count(view), view.length.astype(float)
    values: Floats = (
        hit * relevant
        + noise * (retrieved_ - relevant)
        + miss * (view.relevant - relevant)
        + rest * (collection + relevant - retrieved_ - view.relevant)
    )
    return values
