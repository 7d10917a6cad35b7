"""nDCG between the worst and the ideal order of the list."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.dcg import discount
from pipeline.storage.arrays import Floats


def orders(view: View) -> tuple[Floats, Floats, Floats]:
    """DCG of the list as it is, of its worst and of its ideal order (at the cutoff)."""
    weight = discount(view.depth)
    whole = np.where(view.at(None).retrieved, view.at(None).gain, np.inf)
    # Behind the end of a list there is nothing to put in order.
    worst = np.sort(whole, axis=1)[:, : view.depth]
    ideal = -np.sort(np.where(np.isinf(whole), 0.0, -whole), axis=1)[:, : view.depth]
    return view.gain @ weight, np.where(np.isinf(worst), 0.0, worst) @ weight, ideal @ weight


def between(found: Floats, worst: Floats, ideal: Floats, nothing: Floats) -> Floats:
    """(found - worst) / (ideal - worst); `nothing` where every order is the same."""
    room = ideal - worst
    even = room <= 1e-12 * np.maximum(ideal, 1)
    return np.where(even, nothing, (found - worst) / np.where(even, 1.0, room))


def bounds(view: View) -> Bounds:
    """It falls with the worst and the ideal order and rises with the list's, each at its end."""
    upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper").at(view.cut)
    low, high = orders(view), orders(upper)
    sure = np.all(view.at(None).gain == upper.at(None).gain, axis=1)
    value = ndcg_between(view)
    zero, one = np.zeros_like(value), np.ones_like(value)
    least = np.clip(between(low[0], high[1], np.maximum(high[2], high[1]), zero), 0, 1)
    most = np.clip(between(high[0], low[1], low[2], one), 0, 1)
    return np.where(sure, value, least), np.where(sure, value, most)


@measure(
    "nDCGmm",
    title="nDCG between the worst and the ideal order",
    formula="(DCG - NIDCG) / (IDCG - NIDCG), NIDCG and IDCG: DCG of the list's documents in the "
    "worst and in the ideal order; if all orders are alike 1, or 0 without any gain",
    citation="Basu, 2019",
    cutoff="optional",
    gain="gain",
    rises=False,  # an irrelevant document less leaves less to put in order
    bounds=bounds,
)
def ndcg_between(view: View) -> Floats:
    """How well the list's own documents are ordered, whatever else there was to find."""
    found, worst, ideal = orders(view)
    return np.clip(between(found, worst, ideal, (ideal > 0).astype(float)), 0, 1)
