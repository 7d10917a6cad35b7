"""The user of reciprocal rank, who wants one good document."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.storage.arrays import Floats


@user_model(
    "RR",
    title="Reciprocal rank",
    formula="1 while nothing was gained (to rank 1000 at most), then 0",
    citation="Kantor & Voorhees, TREC-5, 1996",
    gain="binary",
    answers="falls",
    fills="binary",
    plain=False,
)
def reciprocal_rank(seen: Seen) -> Floats:
    """Goes on until the first document with any gain."""
    return np.asarray(seen.gain <= 0, float)
