"""Users who leave satisfied: the model within ERR, and the four C/W/L measures nearest to it.

ERR itself is no C/W/L measure (it is sum L(i) / i, the expected reciprocal depth of this user who
never tires), hence the four.
"""

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.models.inst import insq, insq_tail
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats

NERR = "Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021"


@user_model(
    "ERR",
    title="Expected reciprocal rank",
    formula="1 - s(i) (to rank 1000 at most), s(i) = (2^grade(i) - 1) / 2^highest",
    citation="Chapelle, Metzler, Zhang & Grinspan, CIKM 2009",
    gain="stop",
    answers="falls",
    fills="always",
    plain=False,  # the measure ERR is not the expected utility of this user
)
def err(seen: Seen) -> Floats:
    """Leaves with the chance that the document satisfies."""
    return np.asarray(1 - seen.gain)


@user_model(
    "NERR8",
    title="Nearly ERR, equation 8",
    formula="1 - g(i) before rank k, 0 there",
    citation=NERR,
    cutoff="required",
    answers="falls",
    fills="always",
)
def nerr8(seen: Seen) -> Floats:
    """Leaves when satisfied, or at rank k."""
    return np.asarray(1 - seen.gain)


@user_model(
    "NERR9",
    title="Nearly ERR, equation 9",
    formula="i / (i + 1) * (1 - g(i)) before rank k, 0 there",
    citation=NERR,
    cutoff="required",
    answers="falls",
    fills="always",
)
def nerr9(seen: Seen) -> Floats:
    """Leaves when satisfied, and tires at the top of the list most."""
    return np.asarray(seen.rank / (seen.rank + 1) * (1 - seen.gain))


@user_model(
    "NERR10",
    title="Nearly ERR, equation 10",
    formula="phi * (1 - g(i))",
    citation=NERR,
    params={"phi": Param(0.9, low=0, high=1, open_low=True, open_high=True, meaning="persistence")},
    answers="falls",
    fills="always",
    tail=lambda seen, share, phi: share / (1 - phi * (1 - seen.beyond)),
)
def nerr10(seen: Seen, *, phi: float) -> Floats:
    """Leaves when satisfied; tires as the user of RBP."""
    return np.asarray(phi * (1 - seen.gain))


def nerr11_tail(seen: Seen, share: Floats, *, T: float) -> Floats:
    """INSQ's; where everything behind satisfies, one document more."""
    if not seen.beyond:
        return insq_tail(seen, share, T=T)
    if not np.isclose(seen.beyond, 1):
        what = f"needs gains that go up to 1, here they go to {seen.beyond:g}"
        raise InputError(Problem("measure 'NERR11'", what, "map the best label to the gain 1"))
    return share


@user_model(
    "NERR11",
    title="Nearly ERR, equation 11",
    formula="((i + 2T - 1) / (i + 2T))^2 * (1 - g(i))",
    citation=NERR,
    params={"T": Param(1, low=0, open_low=True, meaning="gain the user wants in all")},
    answers="falls",
    fills="always",
    tail=nerr11_tail,
)
def nerr11(seen: Seen, *, T: float) -> Floats:
    """Leaves when satisfied; tires as the user of INSQ."""
    return np.asarray(insq(seen, T=T) * (1 - seen.gain))
