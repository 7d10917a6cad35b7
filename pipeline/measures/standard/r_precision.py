"""R-precision."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.recall import share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Floats, Ints


def _first(values: NDArray[Any], count: Ints, *, dtype: Any = np.float64) -> NDArray[Any]:
    """Sum of the first `count` of each row; counts are [row] or [row, n]."""
    reach = min(values.shape[1], int(count.max(initial=0)))
    running = np.zeros((len(values), reach + 1), dtype)
    np.cumsum(values[:, :reach], axis=1, out=running[:, 1:])
    places = np.minimum(count, reach).reshape(len(values), -1)
    return np.take_along_axis(running, places, axis=1).reshape(count.shape)


def bounds(view: View) -> Bounds:
    """Every number n of unjudged documents that turn out relevant moves the cut to R + n.

    For each n as many of them as possible lie behind the cut, or before it.
    """
    upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper")
    relevant = view.gain > 0
    open_ = (upper.gain > 0) & ~relevant
    count = open_.sum(axis=1)[:, None]
    more = np.arange(int(count.max(initial=0)) + 1, dtype=np.int32)
    known = view.relevant.astype(np.int64)[:, None] + more
    found = _first(relevant, known, dtype=np.int32)
    inside = _first(open_, known, dtype=np.int32)
    share = 1 / np.maximum(known, 1)
    low = (found + np.maximum(more - (count - inside), 0)) * share
    high = (found + np.minimum(more, inside)) * share
    low[more > count] = np.inf  # more than there are
    high[more > count] = -np.inf
    return low.min(axis=1), high.max(axis=1)


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: each rank holds a relevant document as often as its group has them."""
    relevant = (view.gain > 0).astype(float)
    found = groups(view, tie)
    chance = found.total(relevant) / found.size
    return share(_first(chance, view.relevant.astype(np.int64)), view.relevant)


@measure(
    "Rprec",
    title="R-precision",
    formula="relevant documents in the first R ranks / R",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005",
    bounds=bounds,
    expected=expected,
)
def r_precision(view: View) -> Floats:
    """Precision where precision and recall meet; 0 for a topic without relevant documents."""
    row, rank = view.hits
    return share(view.sums(row, (rank < view.relevant[row]).astype(float)), view.relevant)
