"""Recall at a cutoff."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.storage.arrays import Floats


def share(found: Floats, all_: Floats) -> Floats:
    """found / all, and 0 where there is nothing to find."""
    return np.divide(found, all_, out=np.zeros_like(found), where=all_ > 0)


def known(view: View) -> Floats:
    """[row]: the gain of all judged documents of the topic; their number, if gains are binary."""
    total: Floats = view.ideal.sum(axis=1)[view.topic]
    return total


def doubt(view: View) -> tuple[Floats, Floats]:
    """[row]: the gain that unjudged documents could still have, within the cut and behind it."""
    upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper")
    lower = view.gains.view(view.wanted, mix=view.mix)
    more = upper.gain - lower.gain
    return more[:, : view.depth].sum(axis=1), more[:, view.depth :].sum(axis=1)


def bounds(view: View) -> Bounds:
    """Least when only what lies behind the cut turns out relevant, most when it all lies before."""
    found, every, (within, behind) = view.gain.sum(axis=1), known(view), doubt(view)
    return share(found, every + behind), share(found + within, every + within)


@measure(
    "R",
    title="Recall at k",
    formula="sum_(i<=k) g(i) / sum of g over all judged documents",
    citation="van Rijsbergen, Information Retrieval, 1979; graded: Kekalainen & Jarvelin, "
    "JASIST 53(13), 2002",
    cutoff="required",
    bounds=bounds,
    expected="linear",
)
def recall(view: View) -> Floats:
    """The share of what is known to be relevant that stands in the first k ranks."""
    return share(view.total, known(view))
