"""Users of the classic measures (P, RR, DCG, RBP, NPV, SET), and those whose time runs out."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.measures.standard.rbp import PERSISTENCE
from pipeline.storage.arrays import Floats

BEJEWELED = "Zhang, Liu, Li, Zhang, Xu & Ma, SIGIR 2017; as in cwl_eval"
TARGET = Param(1, low=0, open_low=True, meaning="gain the user wants in all")
REACHED = 1e-9  # 0.4 + 0.4 + 0.2 is 1, whatever order the computer adds them in
RETURNS = Param(0.5, low=0, high=1, open_low=True, meaning="exponent of the production function")
HALFLIFE = Param(224, low=0, open_low=True, meaning="cost after which half the users have left")
BUDGET = Param(10, low=0, open_low=True, meaning="cost at which the user gives up")


@user_model(
    "P",
    title="Precision at k",
    formula="1 before rank k, 0 there",
    citation="van Rijsbergen, Information Retrieval, 1979",
    cutoff="required",
    gain="binary",
    plain=False,
)
def precision(seen: Seen) -> Floats:
    """Always goes on, up to the cutoff."""
    return np.ones_like(seen.rank)


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
def reciprocal_rank(seen: Seen) -> Floats:
    """Goes on until the first document with any gain."""
    return np.asarray(seen.gain <= 0, float)


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


@user_model(
    "RBP",
    title="Rank-biased precision",
    formula="p",
    citation="Moffat & Zobel, TOIS 27(1), 2008",
    params={"p": PERSISTENCE},
    gain="binary",
    tail=lambda seen, share, *, p: share / (1 - p),
    plain=False,
)
def rbp(seen: Seen, *, p: float) -> Floats:
    """Goes on with the same chance at every rank."""
    return np.full_like(seen.rank, p)


@user_model(
    "NPV",
    title="Net present value",
    formula="1 / (1 + rate)",
    citation="Azzopardi, Thomas & Moffat, cwl_eval, SIGIR 2019",
    params={"rate": Param(0.1, low=0, open_low=True, meaning="interest rate per rank")},
    tail=lambda seen, share, *, rate: share * (1 + rate) / rate,  # RBP's, p = 1 / (1 + rate)
)
def npv(seen: Seen, *, rate: float) -> Floats:
    """Discounts what lies ahead by a fixed rate."""
    return np.full_like(seen.rank, 1 / (1 + rate))


@user_model(
    "SET",
    title="Search economic theory",
    formula="((i+2)^b - (i+1)^b) / ((i+1)^b - i^b) before rank k, 0 there",
    citation="Azzopardi, SIGIR 2014; as in cwl_eval",
    params={"b": RETURNS},
    cutoff="required",
)
def economic(seen: Seen, *, b: float) -> Floats:
    """Weights fall as the returns of a production function i^b do."""
    edge = np.append(seen.rank[0], [seen.depth + 1, seen.depth + 2]) ** b
    step = np.diff(edge)
    return np.asarray(step[1:] / step[:-1])[None, :]


@user_model(
    "TBG",
    title="Time-biased gain",
    formula="2^(-c(i) / halflife)",
    citation="Smucker & Clarke, SIGIR 2012; as in cwl_eval",
    params={"halflife": HALFLIFE},
    paid=True,
    tail=lambda seen, share, *, halflife: share / (1 - 2 ** (-seen.usual_cost / halflife)),
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
def bpm(seen: Seen, *, T: float, K: float) -> Floats:
    """Goes on until either end is reached."""
    return ((seen.total_gain < T - REACHED) & (seen.total_cost < K - REACHED)).astype(float)


def _plays(
    gained: Seen, raised: Seen, spent: Seen, *, T: float, K: float, hb: float, hc: float,
    middle: float,
) -> Floats:  # fmt: skip
    """C of the dynamic player: the gain now, that which moved the target, that of the budget."""
    before, paid = (seen.total_gain - seen.gain for seen in (raised, spent))
    even = middle * (gained.rank - 1)
    wanted, borne = T + hb * (before - even), K + hc * (paid - even)
    have = gained.total_gain if raised is gained else gained.gain + before
    return ((have < wanted - REACHED) & (gained.total_cost < borne - REACHED)).astype(float)


def bpmd_ends(low: Seen, high: Seen, *, hb: float, **params: float) -> tuple[Floats, Floats]:
    """Good finds raise the budget; they raise the target, too, and for hb > 1 faster than gain."""
    # have < wanted is g(i) + (1 - hb) (gain before i) < T - ...: its second part turns at hb = 1.
    least, most = (high, low) if hb <= 1 else (low, high)
    return (
        _plays(high, least, low, hb=hb, **params),
        _plays(low, most, high, hb=hb, **params),
    )


@user_model(
    "BPMD",
    title="Bejeweled player model, dynamic",
    formula="1 while gain so far < T(i) and cost so far < K(i) (to rank 1000 at most), then 0; "
    "T(i) = T + hb * sum_(j<i) (g(j) - middle), K(i) = K + hc * sum_(j<i) (g(j) - middle)",
    citation=BEJEWELED,
    params={
        "T": TARGET,
        "K": BUDGET,
        "hb": Param(1, low=0, meaning="how much each gain moves the target"),
        "hc": Param(1, low=0, meaning="how much each gain moves the budget"),
        "middle": Param(0.5, low=0, high=1, meaning="the gain that moves neither of them"),
    },
    answers=bpmd_ends,
    paid=True,
)
def bpmd(seen: Seen, **params: float) -> Floats:
    """As the static player, whose target and budget move with each find."""
    return _plays(seen, seen, seen, **params)
