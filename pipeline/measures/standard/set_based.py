"""Measures of the retrieved set: precision, recall, and F and E that weigh the two."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.standard.recall import bounds as recall_bounds
from pipeline.measures.standard.recall import doubt, known, share
from pipeline.storage.arrays import Floats

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
    found, every, (within, behind) = view.gain.sum(axis=1), known(view), doubt(view)
    size, weight = retrieved(view), beta * beta
    return (
        (1 + weight) * share(found, weight * (every + behind) + size),
        (1 + weight) * share(found + within, weight * (every + within) + size),
    )


def e_bounds(view: View, *, beta: float) -> Bounds:
    """Those of F, turned round."""
    lower, upper = f_bounds(view, beta=beta)
    return 1 - upper, 1 - lower


@measure(
    "SetP",
    title="Precision of the retrieved set",
    formula="sum_i g(i) / retrieved documents",
    citation="van Rijsbergen, Information Retrieval, 1979; trec_eval set_P",
    expected="linear",
)
def set_precision(view: View) -> Floats:
    """The share of all that was retrieved that is relevant."""
    return share(view.total, view.length.astype(float))


@measure(
    "SetR",
    title="Recall of the retrieved set",
    formula="sum_i g(i) / sum of g over all judged documents",
    citation="van Rijsbergen, Information Retrieval, 1979; trec_eval set_recall",
    bounds=recall_bounds,
    expected="linear",
)
def set_recall(view: View) -> Floats:
    """The share of what is known to be relevant that was retrieved."""
    return share(view.total, known(view))


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
    below = weight * known(view) + retrieved(view)
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
