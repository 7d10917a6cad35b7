"""Rank-biased precision."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Param, measure
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
    """The rate of gain of a user who goes on to the next rank with probability p."""
    weights: Floats = (1 - p) * np.power(p, np.arange(view.depth))
    # What the list does not show is part of the residual: p^length of the user's attention.
    values: Floats = view.weighted(weights) + view.beyond * p**view.length
    return values
