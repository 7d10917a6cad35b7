"""Users with a goal: who want so much gain (INSQ, INST), leave satisfied (ERR), or forage (IFT).

ERR itself is not a C/W/L measure: it is sum L(i) / i, the expected reciprocal depth of a user who
never tires. Hence its user model, and the four C/W/L measures nearest to it.
"""

from functools import partial

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats

TERMS = 16  # ranks added up before the series for trigamma is good to the last digit
WANTED = Param(1, low=0, open_low=True, meaning="gain the user wants in all")
NERR = "Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021"
nearly_err = partial(user_model, citation=NERR, answers="falls", fills="always")
IFT = "Azzopardi, Thomas & Craswell, SIGIR 2018"
GOAL = {
    "T": Param(2, low=0, meaning="gain the user wants in all"),
    "b1": Param(0.9, low=0, open_low=True, meaning="how likely the user continues at the goal"),
    "R1": Param(1, low=0, meaning="how strongly the goal affects the user"),
}
RATE = {
    "A": Param(0.2, low=0, meaning="rate of gain that is available elsewhere"),
    "b2": Param(0.9, low=0, open_low=True, meaning="how likely the user stops at that rate"),
    "R2": Param(1, low=0, meaning="how strongly the rate affects the user"),
}
C1 = "1 - 1 / (1 + b1 e^((T - G(i)) R1))"
C2 = "1 / (1 + b2 e^((A - G(i) / K(i)) R2))"
WHERE = "G, K: gain and cost so far; to rank 1000 at most"


def squares_from(x: Floats) -> Floats:
    """x^2 (1/x^2 + 1/(x+1)^2 + 1/(x+2)^2 + ...), which is x^2 trigamma(x)."""
    head = sum((1 / (x + k) ** 2 for k in range(TERMS)), start=np.zeros_like(x))
    y = x + TERMS
    rest = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)
    return np.asarray(x**2 * (head + rest))


def _refuse_partial(seen: Seen, name: str) -> None:
    """Refuse gains whose highest is below 1, for which the tail is not known."""
    if not np.isclose(seen.beyond, 1):
        what = f"needs gains that go up to 1, here they go to {seen.beyond:g}"
        raise InputError(Problem(f"measure '{name}'", what, "map the best label to the gain 1"))


def insq_tail(seen: Seen, share: Floats, *, T: float) -> Floats:
    """P(n + 1 + j) / P(n + 1) = ((n + 2T) / (n + j + 2T))^2."""
    return share * squares_from(np.array([seen.depth + 2 * T]))


@user_model(
    "INSQ",
    title="INSQ",
    formula="((i + 2T - 1) / (i + 2T))^2",
    citation="Moffat, Scholer & Thomas, ADCS 2012",
    params={"T": WANTED},
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
    _refuse_partial(seen, "INST")
    return np.asarray(share / (1 - ((left - 1) / left) ** 2))


@user_model(
    "INST",
    title="INST",
    formula="((i + T + T(i) - 1) / (i + T + T(i)))^2, T(i) = T - (g(1) + ... + g(i))",
    citation="Moffat, Bailey, Scholer & Thomas, ADCS 2015",
    params={"T": Param(1, low=0.5, meaning="gain the user wants in all")},
    answers="falls",
    fills="always",  # a gain of 1 takes off at most one document (docs/explanations/cwl.md)
    tail=inst_tail,
)
def inst(seen: Seen, *, T: float) -> Floats:
    """As INSQ, with the gain found so far taken off what is wanted."""
    left = seen.rank + 2 * T - seen.total_gain
    return np.asarray(((left - 1) / left) ** 2)


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
def err(seen: Seen) -> Floats:
    """Leaves with the chance that the document satisfies."""
    return np.asarray(1 - seen.gain)


@nearly_err(
    "NERR9",
    title="Nearly ERR, equation 9",
    formula="i / (i + 1) * (1 - g(i)) before rank k, 0 there",
    cutoff="required",
)
def nerr9(seen: Seen) -> Floats:
    """Leaves when satisfied, and tires at the top of the list most."""
    return np.asarray(seen.rank / (seen.rank + 1) * (1 - seen.gain))


@nearly_err(
    "NERR10",
    title="Nearly ERR, equation 10",
    formula="phi * (1 - g(i))",
    params={
        "phi": Param(
            0.9, low=0, high=1, open_low=True, open_high=True, meaning="persistence of the user"
        )
    },
    tail=lambda seen, share, *, phi: share / (1 - phi * (1 - seen.beyond)),  # a geometric series
)
def nerr10(seen: Seen, *, phi: float) -> Floats:
    """Leaves when satisfied; tires as the user of RBP."""
    return np.asarray(phi * (1 - seen.gain))


def nerr11_tail(seen: Seen, share: Floats, *, T: float) -> Floats:
    """INSQ's; where everything behind satisfies, one document more."""
    if not seen.beyond:
        return insq_tail(seen, share, T=T)
    _refuse_partial(seen, "NERR11")
    return share


@nearly_err(
    "NERR11",
    title="Nearly ERR, equation 11",
    formula="((i + 2T - 1) / (i + 2T))^2 * (1 - g(i))",
    params={"T": WANTED},
    tail=nerr11_tail,
)
def nerr11(seen: Seen, *, T: float) -> Floats:
    """Leaves when satisfied; tires as the user of INSQ."""
    return np.asarray(insq(seen, T=T) * (1 - seen.gain))


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
def goal(seen: Seen, *, T: float, b1: float, R1: float) -> Floats:
    """C falls as the gain found comes near the goal T."""
    return _logistic(np.log(b1) + (T - seen.total_gain) * R1)


@user_model(
    "IFT2",
    title="Information foraging, rate (C2)",
    formula=f"{C2}; {WHERE}",
    citation=IFT,
    params=RATE,
    answers="rises",
    paid=True,
)
def rate(seen: Seen, *, A: float, b2: float, R2: float) -> Floats:
    """C rises with the rate of gain so far."""
    return _logistic(-np.log(b2) - (A - seen.total_gain / seen.total_cost) * R2)


def _foraging(
    goals: Seen, rates: Seen, *, A: float, b2: float, R2: float, **goal_of: float
) -> Floats:
    """C1 C2, each of what it is given to see."""
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
def forager(seen: Seen, **params: float) -> Floats:
    """Goes on while the goal is far and the rate is good."""
    return _foraging(seen, seen, **params)
