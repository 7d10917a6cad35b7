"""The user of an economic model of search, who gains ever less."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats


@user_model(
    "SET",
    title="Search economic theory",
    formula="((i+2)^b - (i+1)^b) / ((i+1)^b - i^b) before rank k, 0 there",
    citation="Azzopardi, SIGIR 2014; as in cwl_eval",
    params={
        "b": Param(0.5, low=0, high=1, open_low=True, meaning="how little the returns diminish")
    },
    cutoff="required",
)
def economic(seen: Seen, *, b: float) -> Floats:
    """Weights fall as the returns of a production function i^b do."""
    edge = np.append(seen.rank[0], [seen.depth + 1, seen.depth + 2]) ** b
    step = np.diff(edge)
    return np.asarray(step[1:] / step[:-1])[None, :]
