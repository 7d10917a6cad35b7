"""Average precision smoothed, so that its mean over topics is not ruled by a few of them."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.average_precision import parts
from pipeline.storage.arrays import Floats


def _sum(view: View) -> Floats:
    """The sum of the precisions at relevant documents."""
    row, rank = view.hits
    return view.sums(row, parts(view)[row, rank] * view.relevant[row])


def bounds(view: View) -> Bounds:
    """Bounds that hold: unjudged documents can only raise the sum and R, and R bounds the sum."""
    upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper")
    least, known = _sum(view), view.relevant
    gain = upper.gain > 0
    precision = np.cumsum(gain, axis=1) / np.arange(1, upper.depth + 1)
    most = np.where(gain, precision, 0.0).sum(axis=1)
    low = np.log((1 + least) / (1 + known + view.unjudged - least))
    high = np.log((1 + most) / (1 + np.maximum(known - most, 0)))
    sure = view.unjudged == 0
    value = smoothed_average_precision(view)
    return np.where(sure, value, low), np.where(sure, value, high)


@measure(
    "YAAP",
    title="Yet another average precision",
    formula="ln((1 + s) / (1 + R - s)), s = sum over relevant documents of the precision there",
    citation="Robertson, On smoothing average precision, ECIR 2012; trec_eval yaap",
    range=(-np.inf, np.inf),
    unretrieved=None,
    bounds=bounds,
)
def smoothed_average_precision(view: View) -> Floats:
    """The log odds of average precision, one hit and one miss added to what there is."""
    found = _sum(view)
    values: Floats = np.log((1 + found) / (1 + view.relevant - found))
    return values
