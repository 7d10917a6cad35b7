"""The weighted arithmetic mean of a base measure over each dimension."""

import numpy as np

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats


@combination(
    "CAM",
    of="scores",
    linear=True,
    title="Convex aggregating measure",
    formula="sum_d w(d) M_d / sum_d w(d)",
    citation="Lioma, Simonsen & Larsen, Evaluation measures for relevance and credibility in "
    "ranked lists, ICTIR 2017",
)
def arithmetic(scores: Floats, weights: Floats) -> Floats:
    """A dimension can make up for another, unlike in H."""
    return np.asarray(weights @ scores / weights.sum())
