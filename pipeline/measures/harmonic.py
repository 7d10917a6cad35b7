"""The H framework: the weighted harmonic mean of a base measure over each dimension."""

import numpy as np

from pipeline.measures.declaration import Floats, combination


@combination(
    "H",
    of="scores",
    title="H framework",
    formula="sum_d w(d) / sum_d (w(d) / M_d), per topic; 0 when any M_d is 0",
    citation="Palotti, Zuccon & Hanbury, MM: a new framework for multidimensional evaluation of "
    "search engines, CIKM 2018, equation 1",
)
def harmonic(scores: Floats, weights: Floats) -> Floats:
    """High only where every dimension is; each dimension can be seen beside it."""
    heavy = weights > 0
    scores, weights = scores[heavy], weights[heavy]
    inverse = np.divide(
        weights[:, None], scores, out=np.full_like(scores, np.inf), where=scores > 0
    )
    total = inverse.sum(axis=0)
    return np.asarray(weights.sum() / total)
