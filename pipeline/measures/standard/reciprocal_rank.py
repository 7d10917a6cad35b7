"""Reciprocal rank, and expected reciprocal rank."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.measures.tie_groups import groups, mean_onward, none_before
from pipeline.storage.arrays import Floats, Ints


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties, by the probability that the first relevant document is at each rank."""
    before, chance = none_before((view.at(None).gain > 0).astype(float), groups(view, tie))
    return np.asarray((before * chance)[:, : view.depth] @ (1 / np.arange(1, view.depth + 1)))


def parts(view: View) -> Floats:
    """The first relevant document contributes the whole value."""
    first = np.cumsum(view.gain > 0, axis=1) == 1
    return np.where(first & (view.gain > 0), 1 / np.arange(1, view.depth + 1), 0.0)


@measure(
    "RR",
    title="Reciprocal rank",
    graded=False,
    formula="1 / rank of the first relevant document",
    citation="Kantor & Voorhees, TREC-5, 1996",
    cutoff="optional",
    expected=expected,
    contributions=parts,
)
def reciprocal_rank(view: View) -> Floats:
    """1 / rank of the first relevant document; 0 if there is none."""
    row, rank = view.hits  # sorted by rank, so the first of each row counts
    rows, first = np.unique(row, return_index=True)
    values = np.zeros(len(view.length))
    values[rows] = 1.0 / (rank[first] + 1)
    return values


def err_expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: P(stop at a rank) = P(reach it) - P(continue past it)."""
    onward = mean_onward(view.at(None).gain, groups(view, tie), depth=view.depth)
    return np.asarray((onward[:, :-1] - onward[:, 1:]) @ (1 / np.arange(1, view.depth + 1)))


def _satisfied(view: View) -> Floats:
    """[row, rank]: the probability that the user stops there, satisfied."""
    onward = np.ones((len(view.length), view.depth + 1))
    np.cumprod(1 - view.gain, axis=1, out=onward[:, 1:])
    return onward[:, :-1] - onward[:, 1:]


@measure(
    "ERR",
    title="Expected reciprocal rank",
    formula="sum_k g(k)/k * prod_(i<k) (1 - g(i)), g = (2^steps - 1) / 2^highest",
    citation="Chapelle, Metzler, Zhang & Grinspan, CIKM 2009; gdeval.pl takes highest = 4 always",
    cutoff="optional",
    gain="stop",
    expected=err_expected,
    contributions=lambda view: _satisfied(view) / np.arange(1, view.depth + 1),
)
def err(view: View) -> Floats:
    """The expected value of 1 / rank of the document that satisfies the user."""
    return np.asarray(_satisfied(view) @ (1 / np.arange(1, view.depth + 1)))
