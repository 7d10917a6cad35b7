"""Precision and average precision as shares of the most a list of that length could have."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import measure
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats

CITATION = "Buckley, trec_eval"


def _found(view: View) -> Floats:
    row, _ = view.hits
    return view.sums(row, np.ones(len(row)))


def _relative(view: View) -> Floats:
    assert view.cut is not None
    return share(_found(view), np.minimum(view.relevant, float(view.cut)))


@measure(
    "RelP",
    title="Relative precision at k",
    formula="relevant documents in the first k ranks / min(k, R)",
    citation=f"{CITATION} relative_P",
    cutoff="required",
    rises=False,  # a further relevant document raises R, too
    bounds=anything(_relative),
)
def relative_precision(view: View) -> Floats:
    """Precision at k as a share of the best there could be: 1 once all R or all k are relevant."""
    return _relative(view)


def _set_relative(view: View) -> Floats:
    return share(_found(view), np.minimum(view.relevant, view.length.astype(float)))


@measure(
    "SetRelP",
    title="Relative precision of the retrieved set",
    formula="relevant documents retrieved / min(documents retrieved, R)",
    citation=f"{CITATION} set_relative_P",
    rises=False,
    bounds=anything(_set_relative),
)
def set_relative_precision(view: View) -> Floats:
    """As relative precision, of all that was retrieved."""
    return _set_relative(view)


def _set_average(view: View) -> Floats:
    found = _found(view)
    return share(found * found, view.relevant * view.length)


@measure(
    "SetMAP",
    title="Average precision of the retrieved set",
    formula="precision * recall of the retrieved set",
    citation=f"{CITATION} set_map",
    rises=False,
    bounds=anything(_set_average),
)
def set_average_precision(view: View) -> Floats:
    """What average precision comes to where the order of the set is not known."""
    return _set_average(view)
