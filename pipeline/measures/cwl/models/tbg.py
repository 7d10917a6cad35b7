"""Time-biased gain: the user whose time runs out."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats


def tail(seen: Seen, share: Floats, *, halflife: float) -> Floats:
    """A geometric series at the usual cost."""
    return np.asarray(share / (1 - 2 ** (-seen.usual_cost / halflife)))


@user_model(
    "TBG",
    title="Time-biased gain",
    formula="2^(-c(i) / halflife)",
    citation="Smucker & Clarke, SIGIR 2012; as in cwl_eval",
    params={
        "halflife": Param(
            224, low=0, open_low=True, meaning="cost after which half the users have left"
        )
    },
    paid=True,
    tail=tail,
)
def time_biased(seen: Seen, *, halflife: float) -> Floats:
    """Half of the users are left whenever another half-life is spent."""
    return np.asarray(2 ** (-seen.cost / halflife))
