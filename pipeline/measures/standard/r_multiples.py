"""Precision at multiples of R."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import Param, measure
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats


def _precision(view: View, *, mult: float) -> Floats:
    wanted = np.floor(mult * view.relevant + 0.9)
    row, rank = view.hits
    return share(view.sums(row, (rank < wanted[row]).astype(float)), wanted)


@measure(
    "RprecMult",
    title="Precision at a multiple of R",
    formula="relevant documents in the first c ranks / c, c = floor(mult * R + 0.9)",
    citation="Buckley, trec_eval Rprec_mult",
    params={"mult": Param(1.0, low=0, open_low=True, meaning="how many times R")},
    rises=False,  # a further relevant document moves the cut
    bounds=anything(_precision),
)
def multiple_precision(view: View, *, mult: float) -> Floats:
    """Topics looked at where they are alike: at the same share of what there is to find."""
    return _precision(view, mult=mult)
