"""Depth-k pools: each run's first documents."""

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.storage.arrays import Floats


@pooling(
    "depth",
    order=1,
    title="each run's first documents",
    citation="Spärck Jones & van Rijsbergen, 1975",
    reach=lambda plan: plan.depth,
)
def depth(offer: Offer) -> Floats:
    """All that the runs hold down to the depth."""
    return np.ones(len(offer.candidates.topic))
