"""User models of classic measures (P, RR, DCG, RBP, NPV, SET), and of users with limited time."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.walk import Ranks
from pipeline.measures.declaration import Param
from pipeline.measures.standard.rbp import PERSISTENCE
from pipeline.storage.arrays import Floats

BEJEWELED = "Zhang, Liu, Li, Zhang, Xu & Ma, SIGIR 2017; as in cwl_eval"
TARGET = Param(1, low=0, open_low=True, meaning="total gain at which the user stops")
REACHED = 1e-9  # tolerance for rounding errors: 0.4 + 0.4 + 0.2 reaches 1
RETURNS = Param(0.5, low=0, high=1, open_low=True, meaning="exponent of the production function")
HALFLIFE = Param(224, low=0, open_low=True, meaning="cost after which half of the users have left")
BUDGET = Param(10, low=0, open_low=True, meaning="total cost at which the user stops")


@user_model(
    "P",
    title="Precision at k",
    formula="1 before rank k, 0 there",
    citation="van Rijsbergen, Information Retrieval, 1979",
    cutoff="required",
    gain="binary",
    plain=False,
)
def precision(ranks: Ranks) -> Floats:
    """The user reads down to the cutoff."""
    return np.ones_like(ranks.rank)


@user_model(
    "RR",
    title="Reciprocal rank",
    formula="1 while nothing was gained (to rank 1000 at most), then 0",
    citation="Kantor & Voorhees, TREC-5, 1996",
    gain="binary",
    answers="falls",
    fills="binary",
    plain=False,
)
def reciprocal_rank(ranks: Ranks) -> Floats:
    """The user reads down to the first document with any gain."""
    return np.asarray(ranks.gain <= 0, float)


@user_model(
    "SDCG",
    title="Scaled discounted cumulative gain",
    formula="log(i + 1) / log(i + 2) before rank k, 0 there",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; Moffat et al., TOIS 35(3), 2017",
    cutoff="required",
)
def sdcg(ranks: Ranks) -> Floats:
    """P(i) = 1 / log2(i + 1): DCG's discount as a share of users."""
    return np.asarray(np.log(ranks.rank + 1) / np.log(ranks.rank + 2))


for _name in ("DCG", "nDCG"):
    user_model(
        _name,
        title="Discounted cumulative gain",
        formula="log(i + 1) / log(i + 2) before rank k, 0 there",
        citation="Jarvelin & Kekalainen, TOIS 20(4), 2002",
        cutoff="required",
        plain=False,  # the measures DCG and nDCG divide by 1 and by the ideal, not by sum P
    )(sdcg)


@user_model(
    "RBP",
    title="Rank-biased precision",
    formula="p",
    citation="Moffat & Zobel, TOIS 27(1), 2008",
    params={"p": PERSISTENCE},
    gain="binary",
    tail=lambda ranks, share, *, p: share / (1 - p),
    plain=False,
)
def rbp(ranks: Ranks, *, p: float) -> Floats:
    """The user continues with the same probability at every rank."""
    return np.full_like(ranks.rank, p)


@user_model(
    "NPV",
    title="Net present value",
    formula="1 / (1 + rate)",
    citation="Azzopardi, Thomas & Moffat, cwl_eval, SIGIR 2019",
    params={"rate": Param(0.1, low=0, open_low=True, meaning="discount rate per rank")},
    tail=lambda ranks, share, *, rate: share * (1 + rate) / rate,  # RBP's, p = 1 / (1 + rate)
)
def npv(ranks: Ranks, *, rate: float) -> Floats:
    """Each rank is discounted at a fixed rate."""
    return np.full_like(ranks.rank, 1 / (1 + rate))


@user_model(
    "SET",
    title="Search economic theory",
    formula="((i+2)^b - (i+1)^b) / ((i+1)^b - i^b) before rank k, 0 there",
    citation="Azzopardi, SIGIR 2014; as in cwl_eval",
    params={"b": RETURNS},
    cutoff="required",
)
def economic(ranks: Ranks, *, b: float) -> Floats:
    """The weight of rank i is the marginal return of a production function i^b."""
    edge = np.append(ranks.rank[0], [ranks.depth + 1, ranks.depth + 2]) ** b
    step = np.diff(edge)
    return np.asarray(step[1:] / step[:-1])[None, :]


@user_model(
    "TBG",
    title="Time-biased gain",
    formula="2^(-c(i) / halflife)",
    citation="Smucker & Clarke, SIGIR 2012; as in cwl_eval",
    params={"halflife": HALFLIFE},
    paid=True,
    tail=lambda ranks, share, *, halflife: share / (1 - 2 ** (-ranks.usual_cost / halflife)),
)
def time_biased(ranks: Ranks, *, halflife: float) -> Floats:
    """The share of users halves with each half-life of cost."""
    return np.asarray(2 ** (-ranks.cost / halflife))


def umeasure_tail(ranks: Ranks, share: Floats, *, L: float) -> Floats:
    """The rest of the straight line, in steps of the usual cost."""
    step = ranks.usual_cost / L
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
def u_measure(ranks: Ranks, *, L: float) -> Floats:
    """P(i) = 1 - K(i-1) / L: the share of users falls linearly with the cost of what they read."""
    remaining = np.maximum(L - ranks.total_cost, 0)
    before = np.maximum(L - ranks.total_cost + ranks.cost, 0)
    return np.divide(remaining, before, out=np.zeros_like(remaining), where=before > 0)


@user_model(
    "BPM",
    title="Bejeweled player model, static",
    formula="1 while gain so far < T and cost so far < K (to rank 1000 at most), then 0",
    citation=BEJEWELED,
    params={"T": TARGET, "K": BUDGET},
    answers="falls",
    fills="binary",
    paid=True,
)
def bpm(ranks: Ranks, *, T: float, K: float) -> Floats:
    """The user continues until the target T or the budget K is reached."""
    return ((ranks.total_gain < T - REACHED) & (ranks.total_cost < K - REACHED)).astype(float)


def _dynamic(
    now: Ranks, raising: Ranks, paying: Ranks, *, T: float, K: float, hb: float, hc: float,
    middle: float,
) -> Floats:  # fmt: skip
    """C of the dynamic player, from the gain now and the gains that move target and budget."""
    raised, paid = (ranks.total_gain - ranks.gain for ranks in (raising, paying))
    neutral = middle * (now.rank - 1)
    target, budget = T + hb * (raised - neutral), K + hc * (paid - neutral)
    collected = now.total_gain if raising is now else now.gain + raised
    return ((collected < target - REACHED) & (now.total_cost < budget - REACHED)).astype(float)


def bpmd_ends(low: Ranks, high: Ranks, *, hb: float, **params: float) -> tuple[Floats, Floats]:
    """Gain raises budget and target, and for hb > 1 the target faster than the total gain."""
    # collected < target is g(i) + (1 - hb) (gain before i) < T - ..., whose sign turns at hb = 1.
    lowest, highest = (high, low) if hb <= 1 else (low, high)
    least = _dynamic(high, lowest, low, hb=hb, **params)
    return least, _dynamic(low, highest, high, hb=hb, **params)


@user_model(
    "BPMD",
    title="Bejeweled player model, dynamic",
    formula="1 while gain so far < T(i) and cost so far < K(i) (to rank 1000 at most), then 0; "
    "T(i) = T + hb * sum_(j<i) (g(j) - middle), K(i) = K + hc * sum_(j<i) (g(j) - middle)",
    citation=BEJEWELED,
    params={
        "T": TARGET,
        "K": BUDGET,
        "hb": Param(1, low=0, meaning="how much gain moves the target"),
        "hc": Param(1, low=0, meaning="how much gain moves the budget"),
        "middle": Param(0.5, low=0, high=1, meaning="gain that moves neither target nor budget"),
    },
    answers=bpmd_ends,
    paid=True,
)
def bpmd(ranks: Ranks, **params: float) -> Floats:
    """BPM with a target and a budget that each document's gain moves."""
    return _dynamic(ranks, ranks, ranks, **params)
