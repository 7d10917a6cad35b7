"""U-measure: the user who reads on until L of text."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats


def tail(seen: Seen, share: Floats, *, L: float) -> Floats:
    """What is left of the straight line, in steps of the usual cost."""
    step = seen.usual_cost / L
    steps = np.ceil(share / step)
    return np.asarray(steps * share - step * steps * (steps - 1) / 2)


@user_model(
    "UMeasure",
    title="U-measure",
    formula="max(0, L - K(i)) / (L - K(i-1)), K(i) = c(1) + ... + c(i)",
    citation="Sakai & Dou, SIGIR 2013; as in cwl_eval",
    params={"L": Param(1000, low=0, open_low=True, meaning="cost at which the last user leaves")},
    paid=True,
    tail=tail,
)
def u_measure(seen: Seen, *, L: float) -> Floats:
    """P(i) = 1 - K(i-1) / L: the share of users falls in a straight line with what they read."""
    left = np.maximum(L - seen.total_cost, 0)
    before = np.maximum(L - seen.total_cost + seen.cost, 0)
    return np.divide(left, before, out=np.zeros_like(left), where=before > 0)
