"""Users of measures that need no costs: precision, reciprocal rank, DCG, RBP, NPV, SET."""

import numpy as np

from pipeline.measures.cwl.declare import user_model
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Param
from pipeline.measures.standard.rbp import PERSISTENCE
from pipeline.storage.arrays import Floats


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
    tail=lambda seen, share, p: share / (1 - p),  # 1 + p + p^2 + ...
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
    params={"rate": Param(0.1, low=0, open_low=True, meaning="discount of the future")},
    tail=lambda seen, share, rate: share * (1 + rate) / rate,  # RBP's, p = 1 / (1 + rate)
)
def npv(seen: Seen, *, rate: float) -> Floats:
    """Discounts what lies ahead by a fixed rate."""
    return np.full_like(seen.rank, 1 / (1 + rate))


@user_model(
    "SET",
    title="Search economic theory",
    formula="((i+2)^b - (i+1)^b) / ((i+1)^b - i^b) before rank k, 0 there",
    citation="Azzopardi, SIGIR 2014; as in cwl_eval",
    params={
        "b": Param(0.5, low=0, high=1, open_low=True, meaning="how little the returns diminish")
    },
    cutoff="required",
)
def economic(seen: Seen, *, b: float) -> Floats:
    """Weights fall as the returns of a production function i^b do."""
    edge = np.append(seen.rank[0], [seen.depth + 1, seen.depth + 2]) ** b
    step = np.diff(edge)
    return np.asarray(step[1:] / step[:-1])[None, :]
