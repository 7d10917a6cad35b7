"""The user of precision at k, who looks at k documents whatever they are."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.storage.arrays import Floats


@user_model(
    "P",
    title="Precision at k",
    formula="1 before rank k, 0 there",
    citation="van Rijsbergen, Information Retrieval, 1979",
    cutoff="required",
    gain="binary",
    plain=False,
)
def precision(seen: Seen) -> Floats:
    """Always goes on, up to the cutoff."""
    return np.ones_like(seen.rank)
