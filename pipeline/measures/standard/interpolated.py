"""Interpolated precision at a recall point."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Param, measure
from pipeline.storage.arrays import Floats


@measure(
    "IPrec",
    title="Interpolated precision at a recall point",
    formula="max of P@k over all k with c or more relevant documents, c = floor(recall * R + 0.9)",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005; trec_eval iprec_at_recall",
    params={
        "recall": Param(default=0.1, low=0, high=1, meaning="share of the relevant to be found")
    },
)
def interpolated_precision(view: View, *, recall: float) -> Floats:
    """The best precision a user who wants that much recall can have; 0 if it is never reached.

    trec_eval rounds the documents wanted by adding 0.9, in double precision as here.
    """
    found = np.cumsum(view.gain > 0, axis=1)
    precision = found / np.arange(1, view.depth + 1)
    best_from = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    wanted = np.floor(recall * view.relevant + 0.9)[:, None]
    reached = found >= wanted
    at = np.argmax(reached, axis=1)[:, None]
    values: Floats = np.take_along_axis(best_from, at, axis=1)[:, 0]
    return np.where(reached.any(axis=1), values, 0.0)
