"""The user of discounted cumulative gain."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.storage.arrays import Floats


@user_model(
    "SDCG",
    title="Scaled discounted cumulative gain",
    formula="log(i + 1) / log(i + 2) before rank k, 0 there",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; Moffat et al., TOIS 35(3), 2017",
    cutoff="required",
)
def sdcg(seen: Seen) -> Floats:
    """P(i) = 1 / log2(i + 1): DCG's discount, here as a share of users."""
    return np.asarray(np.log(seen.rank + 1) / np.log(seen.rank + 2))


for _name in ("DCG", "nDCG"):
    user_model(
        _name,
        title="Discounted cumulative gain",
        formula="log(i + 1) / log(i + 2) before rank k, 0 there",
        citation="Jarvelin & Kekalainen, TOIS 20(4), 2002",
        cutoff="required",
        plain=False,  # the measures DCG and nDCG divide by 1 and by the ideal, not by sum P
    )(sdcg)
