"""Bounds that hold for any measure, where nobody has worked out tighter ones."""

from collections.abc import Callable

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds
from pipeline.storage.arrays import Bools, Floats


def unknown(view: View) -> Bools:
    """[row]: whether a list holds a document that is not judged, anywhere."""
    whole = view.at(None)
    return np.asarray((whole.retrieved & ~whole.judged).any(axis=1))


def anything(function: Callable[..., Floats], low: float = 0.0, high: float = 1.0) -> (
    Callable[..., Bounds]
):  # fmt: skip
    """Where a list holds unjudged documents a value may be anything in its range."""

    def bounds(view: View, **params: float) -> Bounds:
        value, open_ = function(view, **params), unknown(view)
        return np.where(open_, low, value), np.where(open_, high, value)

    return bounds
