"""Information foraging: users with a goal (C1), with an eye on the rate of gain (C2), or both."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats

CITATION = "Azzopardi, Thomas & Craswell, SIGIR 2018"
GOAL = {
    "T": Param(2, low=0, meaning="gain the user wants in all"),
    "b1": Param(0.9, low=0, open_low=True, meaning="how readily the user goes on at the goal"),
    "R1": Param(1, low=0, meaning="how much the goal counts"),
}
RATE = {
    "A": Param(0.2, low=0, meaning="rate of gain to be had elsewhere"),
    "b2": Param(0.9, low=0, open_low=True, meaning="how readily the user leaves at that rate"),
    "R2": Param(1, low=0, meaning="how much the rate counts"),
}
C1 = "1 - 1 / (1 + b1 e^((T - G(i)) R1))"
C2 = "1 / (1 + b2 e^((A - G(i) / K(i)) R2))"
WHERE = "G, K: gain and cost so far; to rank 1000 at most"


def _logistic(x: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


@user_model(
    "IFT1",
    title="Information foraging, goal (C1)",
    formula=f"{C1}; {WHERE}",
    citation=CITATION,
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
    citation=CITATION,
    params=RATE,
    answers="rises",
    paid=True,
)
def rate(seen: Seen, *, A: float, b2: float, R2: float) -> Floats:
    """C rises with the rate of gain so far."""
    return _logistic(-np.log(b2) - (A - seen.total_gain / seen.total_cost) * R2)


def ends(
    low: Seen, high: Seen, *, T: float, b1: float, R1: float, A: float, b2: float, R2: float
) -> tuple[Floats, Floats]:
    """C1 falls and C2 rises with gain."""
    tired = goal(high, T=T, b1=b1, R1=R1) * rate(low, A=A, b2=b2, R2=R2)
    keen = goal(low, T=T, b1=b1, R1=R1) * rate(high, A=A, b2=b2, R2=R2)
    return tired, keen


@user_model(
    "IFT",
    title="Information foraging, goal and rate (C1-C2)",
    formula=f"C1(i) C2(i), C1(i) = {C1}, C2(i) = {C2}; {WHERE}",
    citation=CITATION,
    params={**GOAL, **RATE},
    answers=ends,
    paid=True,
)
def both(seen: Seen, *, T: float, b1: float, R1: float, A: float, b2: float, R2: float) -> Floats:
    """Goes on while the goal is far and the rate is good."""
    return goal(seen, T=T, b1=b1, R1=R1) * rate(seen, A=A, b2=b2, R2=R2)
