"""Reciprocal rank."""

import numpy as np

from pipeline.gains import View
from pipeline.measures.declaration import Floats, measure


@measure(
    "RR",
    title="Reciprocal rank",
    formula="1 / rank of the first relevant document",
    citation="Kantor & Voorhees, TREC-5, 1996",
    cutoff="optional",
)
def reciprocal_rank(view: View) -> Floats:
    """How soon the first relevant document comes."""
    relevant = view.gain > 0
    first = np.argmax(relevant, axis=1) if view.depth else np.zeros(len(relevant), int)
    return np.where(relevant.any(axis=1), 1.0 / (first + 1), 0.0)
