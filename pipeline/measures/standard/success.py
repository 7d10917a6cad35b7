"""Success at a cutoff."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.measures.tie_groups import groups, none_before
from pipeline.storage.arrays import Floats, Ints


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the chance of a relevant document among the first k."""
    relevant = (view.at(None).gain > 0).astype(float)
    before, chance = none_before(relevant, groups(view, tie))
    last = view.depth - 1
    return np.asarray(1 - before[:, last] * (1 - chance[:, last]))


@measure(
    "Success",
    title="Success at k",
    formula="1 if any of the first k documents is relevant, else 0",
    citation="Craswell & Hawking, TREC 2004 Web track; trec_eval success",
    cutoff="required",
    expected=expected,
)
def success(view: View) -> Floats:
    """Whether a user who looks at k documents finds anything."""
    row, _ = view.hits
    return (np.bincount(row, minlength=len(view.length)) > 0).astype(float)
