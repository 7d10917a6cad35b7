"""Discounted cumulative gain, and what it and its normalised form share."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
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
