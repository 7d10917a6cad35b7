"""INSQ and INST: users who want about T documents' worth of gain."""

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats

TERMS = 16  # ranks added up before the series for trigamma is good to the last digit


def squares_from(x: Floats) -> Floats:
    """x^2 (1/x^2 + 1/(x+1)^2 + 1/(x+2)^2 + ...), which is x^2 trigamma(x)."""
    head = sum((1 / (x + k) ** 2 for k in range(TERMS)), start=np.zeros_like(x))
    y = x + TERMS
    rest = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)
    return np.asarray(x**2 * (head + rest))


def insq_tail(seen: Seen, share: Floats, *, T: float) -> Floats:
    """P(n + 1 + j) / P(n + 1) = ((n + 2T) / (n + j + 2T))^2."""
    return share * squares_from(np.array([seen.depth + 2 * T]))


@user_model(
    "INSQ",
    title="INSQ",
    formula="((i + 2T - 1) / (i + 2T))^2",
    citation="Moffat, Scholer & Thomas, ADCS 2012",
    params={"T": Param(1, low=0, open_low=True, meaning="gain the user wants in all")},
    tail=insq_tail,
)
def insq(seen: Seen, *, T: float) -> Floats:
    """C rises with the rank, and with the gain T that is wanted."""
    return np.asarray(((seen.rank + 2 * T - 1) / (seen.rank + 2 * T)) ** 2)


def inst_tail(seen: Seen, share: Floats, *, T: float) -> Floats:
    """Without gain behind the list C is INSQ's from there on; with full gain it stays as it is."""
    left = seen.depth + 2 * T - seen.total_gain[:, -1]
    if not seen.beyond:
        return share * squares_from(left)
    if not np.isclose(seen.beyond, 1):
        what = f"needs gains that go up to 1, here they go to {seen.beyond:g}"
        raise InputError(Problem("measure 'INST'", what, "map the best label to the gain 1"))
    return np.asarray(share / (1 - ((left - 1) / left) ** 2))


@user_model(
    "INST",
    title="INST",
    formula="((i + T + T(i) - 1) / (i + T + T(i)))^2, T(i) = T - (g(1) + ... + g(i))",
    citation="Moffat, Bailey, Scholer & Thomas, ADCS 2015",
    params={"T": Param(1, low=0.5, meaning="gain the user wants in all")},
    answers="falls",
    fills="always",  # see config/CWL.md: one more gain takes at most one more document's reading
    tail=inst_tail,
)
def inst(seen: Seen, *, T: float) -> Floats:
    """As INSQ, with the gain found so far taken off what is wanted."""
    left = seen.rank + 2 * T - seen.total_gain
    return np.asarray(((left - 1) / left) ** 2)
