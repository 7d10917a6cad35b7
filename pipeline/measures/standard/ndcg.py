"""Normalised discounted cumulative gain."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.measures.standard.dcg import EXPONENTIAL, discount
from pipeline.storage.arrays import Floats


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
    found = view.weighted(discount(view.depth))
    depth = view.ideal.shape[1] if view.cut is None else view.cut
    if view.cut is None and view.scenario == "lower":
        depth += int(view.unjudged.max(initial=0))
    best = view.ideal_sum(discount(depth))
    share = np.divide(found, best, out=np.zeros_like(found), where=best > 0)
    if view.scenario == "upper":  # a topic nobody found anything for may still hold something
        return np.where(best > 0, np.minimum(share, 1.0), (found > 0).astype(float))
    return share


@measure(
    "nDCGexp",
    title="Normalised discounted cumulative gain, exponential",
    formula="DCG / ideal DCG, DCG = sum_k (2^steps(k) - 1) / log2(k + 1)",
    citation=f"{EXPONENTIAL}; ir_measures nDCG(dcg='exp-log2')",
    cutoff="optional",
    gain="exponential",
    expected="linear",
)
def exponential_ndcg(view: View) -> Floats:
    """As nDCG, the best labels counting for more."""
    return ndcg(view)
