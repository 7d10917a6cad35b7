"""The weighted geometric mean of a base measure over each dimension."""

import numpy as np

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats


@combination(
    "G",
    of="scores",
    title="Geometric mean of dimensions",
    formula="(prod_d M_d^w(d))^(1 / sum_d w(d)); 0 when any M_d is 0",
    citation="between CAM and H: Hardy, Littlewood & Polya, Inequalities, 1934, theorem 16",
)
def geometric(scores: Floats, weights: Floats) -> Floats:
    """Between the arithmetic and the harmonic mean: weak dimensions cost, but less than in H."""
    logs = np.log(scores, out=np.full_like(scores, -np.inf), where=scores > 0)
    return np.asarray(np.exp(weights @ logs / weights.sum()))
