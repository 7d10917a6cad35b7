"""The user of rank-biased precision, and of net present value, who is the same."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.measures.standard.rbp import PERSISTENCE
from pipeline.storage.arrays import Floats


def rbp_tail(seen: Seen, share: Floats, *, p: float) -> Floats:
    """1 + p + p^2 + ... = 1 / (1 - p)."""
    return share / (1 - p)


@user_model(
    "RBP",
    title="Rank-biased precision",
    formula="p",
    citation="Moffat & Zobel, TOIS 27(1), 2008",
    params={"p": PERSISTENCE},
    gain="binary",
    tail=rbp_tail,
    plain=False,
)
def rbp(seen: Seen, *, p: float) -> Floats:
    """Goes on with the same chance at every rank."""
    return np.full_like(seen.rank, p)


def npv_tail(seen: Seen, share: Floats, *, rate: float) -> Floats:
    """As RBP's, with p = 1 / (1 + rate)."""
    return share * (1 + rate) / rate


@user_model(
    "NPV",
    title="Net present value",
    formula="1 / (1 + rate)",
    citation="Azzopardi, Thomas & Moffat, cwl_eval, SIGIR 2019",
    params={"rate": Param(0.1, low=0, open_low=True, meaning="discount of the future")},
    tail=npv_tail,
)
def npv(seen: Seen, *, rate: float) -> Floats:
    """Discounts what lies ahead by a fixed rate."""
    return np.full_like(seen.rank, 1 / (1 + rate))
