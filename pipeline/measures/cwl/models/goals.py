"""Users with a goal: a total gain (INSQ, INST), one satisfying document (ERR), foraging (IFT).

ERR itself is not a C/W/L measure: it is sum L(i) / i, the expected reciprocal stopping rank. So
this module declares its user model and the four C/W/L measures closest to it.
"""

from functools import partial

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.walk import Ranks
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats

TERMS = 16  # terms summed before the asymptotic series of trigamma is exact in double precision
TARGET = Param(1, low=0, open_low=True, meaning="total gain the user wants")
NERR = "Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021"
nearly_err = partial(user_model, citation=NERR, answers="falls", fills="always")
IFT = "Azzopardi, Thomas & Craswell, SIGIR 2018"
GOAL = {
    "T": Param(2, low=0, meaning="total gain the user wants"),
    "b1": Param(0.9, low=0, open_low=True, meaning="readiness to continue at the goal"),
    "R1": Param(1, low=0, meaning="influence of the goal"),
}
RATE = {
    "A": Param(0.2, low=0, meaning="rate of gain elsewhere"),
    "b2": Param(0.9, low=0, open_low=True, meaning="readiness to leave at that rate"),
    "R2": Param(1, low=0, meaning="influence of the rate"),
}
C1 = "1 - 1 / (1 + b1 e^((T - G(i)) R1))"
C2 = "1 / (1 + b2 e^((A - G(i) / K(i)) R2))"
WHERE = "G, K: gain and cost so far; to rank 1000 at most"


def squares_from(x: Floats) -> Floats:
    """x^2 (1/x^2 + 1/(x+1)^2 + 1/(x+2)^2 + ...), which is x^2 trigamma(x)."""
    head = sum((1 / (x + k) ** 2 for k in range(TERMS)), start=np.zeros_like(x))
    y = x + TERMS
    tail = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)
    return np.asarray(x**2 * (head + tail))


def _refuse_partial(ranks: Ranks, name: str) -> None:
    """Refuse gains whose maximum is below 1, for which the tail is unknown."""
    if not np.isclose(ranks.beyond, 1):
        what = f"needs a highest gain of 1, but it is {ranks.beyond:g}"
        fix = "give the best label the gain 1 in the scale of the dimension"
        raise InputError(Problem(f"measure '{name}'", what, fix))


def insq_tail(ranks: Ranks, share: Floats, *, T: float) -> Floats:
    """P(n + 1 + j) / P(n + 1) = ((n + 2T) / (n + j + 2T))^2."""
    return share * squares_from(np.array([ranks.depth + 2 * T]))


@user_model(
    "INSQ",
    title="INSQ",
    formula="((i + 2T - 1) / (i + 2T))^2",
    citation="Moffat, Scholer & Thomas, ADCS 2012",
    params={"T": TARGET},
    tail=insq_tail,
)
def insq(ranks: Ranks, *, T: float) -> Floats:
    """C rises with the rank and with the gain T that the user wants."""
    return np.asarray(((ranks.rank + 2 * T - 1) / (ranks.rank + 2 * T)) ** 2)


def inst_tail(ranks: Ranks, share: Floats, *, T: float) -> Floats:
    """Without gain past the end, C is INSQ's from there on; with full gain it is constant."""
    remaining = ranks.depth + 2 * T - ranks.total_gain[:, -1]
    if not ranks.beyond:
        return share * squares_from(remaining)
    _refuse_partial(ranks, "INST")
    return np.asarray(share / (1 - ((remaining - 1) / remaining) ** 2))


@user_model(
    "INST",
    title="INST",
    formula="((i + T + T(i) - 1) / (i + T + T(i)))^2, T(i) = T - (g(1) + ... + g(i))",
    citation="Moffat, Bailey, Scholer & Thomas, ADCS 2015",
    params={"T": Param(1, low=0.5, meaning="total gain the user wants")},
    answers="falls",
    fills="always",  # one more unit of gain saves at most one document (docs/explanations/cwl.md)
    tail=inst_tail,
)
def inst(ranks: Ranks, *, T: float) -> Floats:
    """INSQ, where the gain collected so far reduces the gain that the user still wants."""
    remaining = ranks.rank + 2 * T - ranks.total_gain
    return np.asarray(((remaining - 1) / remaining) ** 2)


@nearly_err(
    "NERR8",
    title="Nearly ERR, equation 8",
    formula="1 - g(i) before rank k, 0 there",
    cutoff="required",
)
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
def err(ranks: Ranks) -> Floats:
    """The user stops with the probability that the document satisfies."""
    return np.asarray(1 - ranks.gain)


@nearly_err(
    "NERR9",
    title="Nearly ERR, equation 9",
    formula="i / (i + 1) * (1 - g(i)) before rank k, 0 there",
    cutoff="required",
)
def nerr9(ranks: Ranks) -> Floats:
    """The user stops when satisfied, or from fatigue, which is strongest at the first ranks."""
    return np.asarray(ranks.rank / (ranks.rank + 1) * (1 - ranks.gain))


@nearly_err(
    "NERR10",
    title="Nearly ERR, equation 10",
    formula="phi * (1 - g(i))",
    params={"phi": Param(0.9, low=0, high=1, open_low=True, open_high=True, meaning="persistence")},
    tail=lambda ranks, share, *, phi: share / (1 - phi * (1 - ranks.beyond)),  # a geometric series
)
def nerr10(ranks: Ranks, *, phi: float) -> Floats:
    """The user stops when satisfied, or from fatigue like the user of RBP."""
    return np.asarray(phi * (1 - ranks.gain))


def nerr11_tail(ranks: Ranks, share: Floats, *, T: float) -> Floats:
    """INSQ's tail; if every document past the end satisfies, the user reads one more."""
    if not ranks.beyond:
        return insq_tail(ranks, share, T=T)
    _refuse_partial(ranks, "NERR11")
    return share


@nearly_err(
    "NERR11",
    title="Nearly ERR, equation 11",
    formula="((i + 2T - 1) / (i + 2T))^2 * (1 - g(i))",
    params={"T": TARGET},
    tail=nerr11_tail,
)
def nerr11(ranks: Ranks, *, T: float) -> Floats:
    """The user stops when satisfied, or from fatigue like the user of INSQ."""
    return np.asarray(insq(ranks, T=T) * (1 - ranks.gain))


def _logistic(x: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


@user_model(
    "IFT1",
    title="Information foraging, goal (C1)",
    formula=f"{C1}; {WHERE}",
    citation=IFT,
    params=GOAL,
    answers="falls",
)
def goal(ranks: Ranks, *, T: float, b1: float, R1: float) -> Floats:
    """C falls as the collected gain approaches the goal T."""
    return _logistic(np.log(b1) + (T - ranks.total_gain) * R1)


@user_model(
    "IFT2",
    title="Information foraging, rate (C2)",
    formula=f"{C2}; {WHERE}",
    citation=IFT,
    params=RATE,
    answers="rises",
    paid=True,
)
def rate(ranks: Ranks, *, A: float, b2: float, R2: float) -> Floats:
    """C rises with the rate of gain so far."""
    return _logistic(-np.log(b2) - (A - ranks.total_gain / ranks.total_cost) * R2)


def _foraging(
    goals: Ranks, rates: Ranks, *, A: float, b2: float, R2: float, **goal_of: float
) -> Floats:
    """C1 C2, each of its own ranks."""
    return goal(goals, **goal_of) * rate(rates, A=A, b2=b2, R2=R2)


@user_model(
    "IFT",
    title="Information foraging, goal and rate (C1-C2)",
    formula=f"C1(i) C2(i), C1(i) = {C1}, C2(i) = {C2}; {WHERE}",
    citation=IFT,
    params={**GOAL, **RATE},
    answers=lambda low, high, **params: (  # C1 falls and C2 rises with gain
        _foraging(high, low, **params),
        _foraging(low, high, **params),
    ),
    paid=True,
)
def forager(ranks: Ranks, **params: float) -> Floats:
    """The user continues while the goal is far and the rate of gain is good."""
    return _foraging(ranks, ranks, **params)
