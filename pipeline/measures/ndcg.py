"""Normalised discounted cumulative gain."""

import numpy as np

from pipeline.gains import View
from pipeline.measures.declaration import Floats, measure


def discount(depth: int) -> Floats:
    """1 / log2(rank + 1), as trec_eval discounts."""
    return 1 / np.log2(np.arange(2, depth + 2))


@measure(
    "nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / ideal DCG, DCG = sum_k g(k) / log2(k + 1)",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; linear gain as in trec_eval",
    cutoff="optional",
    gain="gain",
    expected="linear",
)
def ndcg(view: View) -> Floats:
    """Discounted gain as a share of what the best ranking of all judged documents would have."""
    found = view.gain @ discount(view.depth)
    depth = view.ideal.shape[1] + int(view.unjudged.max(initial=0) * (view.scenario == "lower"))
    depth = depth if view.cut is None else view.cut
    best = view.ideal_gain(depth) @ discount(depth)
    share = np.divide(found, best, out=np.zeros_like(found), where=best > 0)
    if view.scenario == "upper":  # a topic nobody found anything for may still hold something
        return np.where(best > 0, np.minimum(share, 1.0), (found > 0).astype(float))
    return share
