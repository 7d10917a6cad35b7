"""Utility of the retrieved set: what each kind of document is worth, added up."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.storage.arrays import Floats


def _value(
    view: View, *, hit: float, noise: float, miss: float, rest: float, collection: float
) -> Floats:
    row, _ = view.hits
    found, held = view.sums(row, np.ones(len(row))), view.length.astype(float)
    values: Floats = (
        hit * found
        + noise * (held - found)
        + miss * (view.relevant - found)
        + rest * (collection + found - held - view.relevant)
    )
    return values


def bounds(view: View, *, hit: float, noise: float, **others: float) -> Bounds:
    """Each unjudged document of the list may turn from noise to a hit; all else stays."""
    value = _value(view, hit=hit, noise=noise, **others)
    turned = (hit - noise) * view.unjudged
    return value + np.minimum(turned, 0), value + np.maximum(turned, 0)


@measure(
    "Utility",
    title="Utility of the retrieved set",
    formula="hit * relevant retrieved + noise * others retrieved + miss * relevant not retrieved "
    "+ rest * others not retrieved, of a collection of documents",
    citation="Buckley, trec_eval utility; Lewis, The TREC-4 filtering track, 1995",
    params={
        "hit": Param(1.0, meaning="worth of a relevant document retrieved"),
        "noise": Param(-1.0, meaning="worth of another document retrieved"),
        "miss": Param(0.0, meaning="worth of a relevant document not retrieved"),
        "rest": Param(0.0, meaning="worth of another document not retrieved"),
        "collection": Param(0.0, low=0, meaning="documents there are in all"),
    },
    range=(-np.inf, np.inf),
    rises=False,
    bounds=bounds,
)
def utility(
    view: View, *, hit: float, noise: float, miss: float, rest: float, collection: float
) -> Floats:
    """What a set is worth to one who pays for every document that is looked at in vain."""
    return _value(view, hit=hit, noise=noise, miss=miss, rest=rest, collection=collection)
