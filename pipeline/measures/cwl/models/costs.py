"""Users whose time, reading or budget runs out: TBG, U-measure, the Bejeweled player."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.storage.arrays import Floats


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
    tail=lambda seen, share, halflife: share / (1 - 2 ** (-seen.usual_cost / halflife)),
)
def time_biased(seen: Seen, *, halflife: float) -> Floats:
    """Half of the users are left whenever another half-life is spent."""
    return np.asarray(2 ** (-seen.cost / halflife))


def umeasure_tail(seen: Seen, share: Floats, *, L: float) -> Floats:
    """What is left of the straight line, in steps of the usual cost."""
    step = seen.usual_cost / L
    steps = np.ceil(share / step)
    return np.asarray(steps * share - step * steps * (steps - 1) / 2)


@user_model(
    "UMeasure",
    title="U-measure",
    formula="max(0, L - K(i)) / (L - K(i-1)), K(i) = c(1) + ... + c(i)",
    citation="Sakai & Dou, SIGIR 2013; as in cwl_eval",
    params={"L": Param(1000, low=0, open_low=True, meaning="cost at which the last user leaves")},
    paid=True,
    tail=umeasure_tail,
)
def u_measure(seen: Seen, *, L: float) -> Floats:
    """P(i) = 1 - K(i-1) / L: the share of users falls in a straight line with what they read."""
    left = np.maximum(L - seen.total_cost, 0)
    before = np.maximum(L - seen.total_cost + seen.cost, 0)
    return np.divide(left, before, out=np.zeros_like(left), where=before > 0)


CITATION = "Zhang, Liu, Li, Zhang, Xu & Ma, SIGIR 2017; as in cwl_eval"
TARGET = Param(1, low=0, open_low=True, meaning="gain the user wants in all")
REACHED = 1e-9  # 0.4 + 0.4 + 0.2 is 1, whatever order the computer adds them in
BUDGET = Param(10, low=0, open_low=True, meaning="cost at which the user gives up")


@user_model(
    "BPM",
    title="Bejeweled player model, static",
    formula="1 while gain so far < T and cost so far < K (to rank 1000 at most), then 0",
    citation=CITATION,
    params={"T": TARGET, "K": BUDGET},
    answers="falls",
    fills="binary",
    paid=True,
)
def bpm(seen: Seen, *, T: float, K: float) -> Floats:
    """Goes on until either end is reached."""
    return ((seen.total_gain < T - REACHED) & (seen.total_cost < K - REACHED)).astype(float)


def _before(total: Floats, each: Floats) -> Floats:
    """What was there before each rank."""
    return total - each


def bpmd_ends(
    low: Seen, high: Seen, *, T: float, K: float, hb: float, hc: float, middle: float
) -> tuple[Floats, Floats]:
    """Good finds raise the budget; they raise the target, too, and for hb > 1 faster than gain."""

    def chance(gained: Seen, raised: Seen, spent: Seen) -> Floats:
        wanted = T + hb * (_before(raised.total_gain, raised.gain) - middle * (low.rank - 1))
        borne = K + hc * (_before(spent.total_gain, spent.gain) - middle * (low.rank - 1))
        have = (
            gained.gain + _before(raised.total_gain, raised.gain)
            if raised is not gained
            else gained.total_gain
        )
        return ((have < wanted - REACHED) & (low.total_cost < borne - REACHED)).astype(float)

    # have < wanted is g(i) + (1 - hb) (gain before i) < T - ...: its second part turns at hb = 1.
    if hb <= 1:
        return chance(high, high, low), chance(low, low, high)
    return chance(high, low, low), chance(low, high, high)


@user_model(
    "BPMD",
    title="Bejeweled player model, dynamic",
    formula="1 while gain so far < T(i) and cost so far < K(i) (to rank 1000 at most), then 0; "
    "T(i) = T + hb * sum_(j<i) (g(j) - middle), K(i) = K + hc * sum_(j<i) (g(j) - middle)",
    citation=CITATION,
    params={
        "T": TARGET,
        "K": BUDGET,
        "hb": Param(1, low=0, meaning="how far a find moves the target"),
        "hc": Param(1, low=0, meaning="how far a find moves the budget"),
        "middle": Param(0.5, low=0, high=1, meaning="the gain that moves neither"),
    },
    answers=bpmd_ends,
    paid=True,
)
def bpmd(seen: Seen, *, T: float, K: float, hb: float, hc: float, middle: float) -> Floats:
    """As the static player, whose target and budget move with each find."""
    moved = _before(seen.total_gain, seen.gain) - middle * (seen.rank - 1)
    wanted, borne = T + hb * moved - REACHED, K + hc * moved - REACHED
    return ((seen.total_gain < wanted) & (seen.total_cost < borne)).astype(float)
