"""Discounted cumulative gain, and what it and its normalised form share."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.storage.arrays import Floats

EXPONENTIAL = "Burges et al., ICML 2005"


def discount(depth: int) -> Floats:
    """1 / log2(rank + 1), as trec_eval discounts."""
    return 1 / np.log2(np.arange(2, depth + 2))


@measure(
    "DCG",
    title="Discounted cumulative gain",
    formula="sum_k g(k) / log2(k + 1), g = steps above the worst label",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; discount as in trec_eval",
    cutoff="optional",
    gain="grade",
    range=(0.0, np.inf),
    expected="linear",
)
def discounted_gain(view: View) -> Floats:
    """Gain, each rank counting less than the one before."""
    values: Floats = view.gain @ discount(view.depth)
    return values


@measure(
    "DCGexp",
    title="Discounted cumulative gain, exponential",
    formula="sum_k g(k) / log2(k + 1), g = 2^steps - 1, steps above the worst label",
    citation=EXPONENTIAL,
    cutoff="optional",
    gain="exponential",
    range=(0.0, np.inf),
    expected="linear",
)
def exponential_gain(view: View) -> Floats:
    """As DCG, the best labels counting for more."""
    return discounted_gain(view)


def ideal_bounds(view: View) -> Bounds:
    """Every unjudged document of the list might be one more of the best."""
    lower = view.gains.view(view.wanted, mix=view.mix, scenario="lower").at(view.cut)
    return _ideal(view), _ideal(lower)


def _ideal(view: View) -> Floats:
    depth = view.ideal.shape[1] if view.cut is None else view.cut
    if view.cut is None and view.scenario == "lower":
        depth += int(view.unjudged.max(initial=0))
    values: Floats = view.ideal_gain(depth) @ discount(depth)
    return values


@measure(
    "IDCG",
    title="Discounted cumulative gain of the ideal ranking",
    formula="sum_k g(k) / log2(k + 1) over all judged documents, best first",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; trec_eval 10 ideal_dcg",
    cutoff="optional",
    gain="grade",
    range=(0.0, np.inf),
    rises=False,
    unretrieved=None,
    bounds=ideal_bounds,
)
def ideal_discounted_gain(view: View) -> Floats:
    """The most discounted gain there is to have, whatever the run answers."""
    return _ideal(view)
