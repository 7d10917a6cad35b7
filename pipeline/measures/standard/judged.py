"""What is known about a list: judged and unjudged documents, counts, and utility."""

from functools import partial

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.standard.precision import hit_count, share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Floats, Ints

count = partial(  # of documents: it adds up over the topics
    measure, citation="Buckley, trec_eval, 1991-2022", range=(0.0, np.inf), aggregate="sum"
)


def judged_bounds(view: View) -> Bounds:
    """Labels can only raise it, to 1."""
    return judged(view), (view.length > 0).astype(float)


def _chances(view: View, tie: Ints) -> Floats:
    """[row]: judged documents within the cut, in the mean over all orders of ties."""
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
    """How much of what a measure sees anybody has judged; a short list is not filled."""
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
    """How many documents of the list nobody has judged."""
    return np.asarray(view.length - view.judged.sum(axis=1).astype(float))


@count(
    "NumRet",
    title="Number of retrieved documents",
    formula="documents in the list; NumRet(rel=x): those with label x or better",
    expected="linear",
)
def retrieved(view: View) -> Floats:
    """trec_eval's num_ret; with a relevance level its num_rel_ret, as in ir_measures."""
    if any(reading.startswith("rel=") for reading in view.readings.values()):
        return view.total
    return view.length.astype(float)


@count(
    "NumRel",
    title="Number of relevant documents",
    formula="R, the judged documents with any gain",
    unretrieved=None,
    bounds=lambda view: (view.relevant, view.relevant + view.unjudged),
    expected="linear",
)
def relevant(view: View) -> Floats:
    """trec_eval's num_rel: what there is to find, whatever the run answers."""
    return view.relevant


@count(
    "NumRelRet",
    title="Number of relevant documents retrieved",
    formula="documents in the first k ranks with any gain",
    cutoff="optional",
    expected="linear",
)
def relevant_retrieved(view: View) -> Floats:
    """trec_eval's num_rel_ret; graded gains add up."""
    return view.total


def nonrelevant_bounds(view: View) -> Bounds:
    """Every unjudged document of the list might be one more."""
    count = nonrelevant_retrieved(view)
    return count, count + (view.retrieved & ~view.judged).sum(axis=1)


@count(
    "NumNonrelRet",
    title="Number of judged nonrelevant documents retrieved",
    formula="documents of the list that are judged and have no gain",
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
    """How much of the first k ranks nobody has judged; a short list is filled with judged ones."""
    assert view.cut is not None
    return unjudged(view) / view.cut


def utility_bounds(view: View, *, hit: float, noise: float, **values: float) -> Bounds:
    """Each unjudged document of the list may turn from noise to a hit; all else stays."""
    value = utility(view, hit=hit, noise=noise, **values)
    change = (hit - noise) * view.unjudged
    return value + np.minimum(change, 0), value + np.maximum(change, 0)


@measure(
    "Utility",
    title="Utility of the retrieved set",
    formula="hit * relevant retrieved + noise * others retrieved + miss * relevant not retrieved "
    "+ rest * others not retrieved, of a collection of documents",
    citation="Buckley, trec_eval utility; Lewis, The TREC-4 filtering track, 1995",
    params={
        "hit": Param(1.0, meaning="worth of a relevant document retrieved"),
        "noise": Param(-1.0, meaning="worth of another document retrieved"),
        "miss": Param(0.0, meaning="worth of a relevant document not retrieved"),
        "rest": Param(0.0, meaning="worth of another document not retrieved"),
        "collection": Param(0.0, low=0, meaning="documents there are in all"),
    },
    range=(-np.inf, np.inf),
    rises=False,
    bounds=utility_bounds,
)
def utility(
    view: View, *, hit: float, noise: float, miss: float, rest: float, collection: float
) -> Floats:
    """What a set is worth to one who pays for every document that is looked at in vain."""
    relevant, retrieved_ = hit_count(view), view.length.astype(float)
    values: Floats = (
        hit * relevant
        + noise * (retrieved_ - relevant)
        + miss * (view.relevant - relevant)
        + rest * (collection + relevant - retrieved_ - view.relevant)
    )
    return values
