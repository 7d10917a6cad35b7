"""Rank-biased precision, original and as in trec_eval 10."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.storage.arrays import Floats

PERSISTENCE = Param(
    default=0.8, low=0, high=1, open_low=True, open_high=True, meaning="persistence of the user"
)


@measure(
    "RBP",
    title="Rank-biased precision",
    formula="(1 - p) * sum_k p^(k-1) g(k)",
    citation="Moffat & Zobel, TOIS 27(1), 2008",
    params={"p": PERSISTENCE},
    cutoff="optional",
    expected="linear",
    endless=True,
)
def rbp(view: View, *, p: float) -> Floats:
    """The expected rate of gain of a user who continues to the next rank with probability p."""
    # The ranks past the end are part of the residual: p^length of the user's attention.
    return np.asarray(view.weighted(_weights(view.depth, p)) + view.beyond * p**view.length)


P = Param(0.9, low=0, high=1, open_low=True, open_high=True, meaning=PERSISTENCE.meaning)
CITATION = "Moffat & Zobel, TOIS 27(1), 2008; trec_eval 10"


def _weights(depth: int, p: float) -> Floats:
    return np.asarray((1 - p) * np.power(p, np.arange(depth)))


def _best_label(view: View) -> Floats:
    """[row]: the topic's best label in steps above the worst one, at least 1."""
    return np.maximum(1.0, view.ideal[:, 0][view.topic])


def topic_bounds(view: View, *, p: float) -> Bounds:
    """An unjudged document may have the topic's best label, or the best label of the scale."""
    upper = view.under("upper")
    top = np.where(view.unjudged > 0, np.maximum(_best_label(view), view.best), _best_label(view))
    low = view.weighted(_weights(view.depth, p)) / top
    behind = 0.0 if view.gains.ended else p**view.length
    high = upper.gain @ _weights(upper.depth, p) / _best_label(view) + behind
    return low, np.minimum(high, 1.0)


@measure(
    "TopicRBP",
    title="Rank-biased precision, gains by the topic's best label",
    formula="(1 - p) * sum_k p^(k-1) g(k), g = steps above the worst label / those of the best "
    "label in the topic",
    citation=f"{CITATION} rbp",
    params={"p": P},
    gain="grade",
    bounds=topic_bounds,
    expected="linear",
    endless=True,
)
def topic_rbp(view: View, *, p: float) -> Floats:
    """RBP in which the best document of each topic has gain 1."""
    return np.asarray(view.weighted(_weights(view.depth, p)) / _best_label(view))


@measure(
    "RBPresidual",
    title="Residual of rank-biased precision",
    formula="(1 - p) * sum of p^(k-1) over unjudged documents + p^n; 0 if none is unjudged",
    citation=f"{CITATION} rbp_resid",
    params={"p": P},
    gain="judged",
    rises=False,
    bounds="falling",
)
def rbp_residual(view: View, *, p: float) -> Floats:
    """How much RBP could rise if unjudged documents and those past the end had gain 1."""
    unjudged = view.retrieved & ~view.judged
    behind = np.where(unjudged.any(axis=1), p**view.length, 0.0)
    return np.asarray(unjudged @ _weights(view.depth, p) + behind)
