"""Our C/W/L figures are cwl_eval's, value by value, on real runs; and where not, by how much.

cwl_eval looks at 1000 ranks, makes W of these add up to 1, and lets the users who would go on
behind rank 1000 vanish from L. With P(i) = prod_(j<i) C(j) and sums over the first N = 1000 ranks:

    ED', EU', EC' of cwl_eval = ED, EU, EC of our user who leaves at rank N at the latest (@1000)
    ETU' = ETU@1000 - P(N+1) G(N),   ETC' = ETC@1000 - P(N+1) K(N)
    without @1000:  ED = ED' + R,  EU ED = EU' ED',  R = sum_(i>N) P(i)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from cwl.ruler.measures.cwl_ap import APCWLMetric
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric, BPMDCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.measures.cwl_nerr import (
    NERReq8CWLMetric,
    NERReq9CWLMetric,
    NERReq10CWLMetric,
    NERReq11CWLMetric,
)
from cwl.ruler.measures.cwl_npv import NPVCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.measures.cwl_set import SETCWLMetric
from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
from cwl.ruler.measures.cwl_umeasure import UMeasureCWLMetric
from cwl.ruler.ranking import Ranking

from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.walk import Walk
from pipeline.storage.arrays import Floats
from tests.real.conftest import Real
from tests.runs import slow_reader

pytestmark = pytest.mark.real

FIGURES = ("EU", "ETU", "EC", "ETC", "ED")
DEEP = 1000
RUNS, TOPICS = 5, 6  # cwl_eval takes about 20 ms a ranking and measure

# our model (with the user leaving at rank 1000 at the latest): cwl_eval's class
SAME: dict[str, Callable[[], CWLMetric]] = {
    "P@5": lambda: PrecisionCWLMetric(5),
    "P(gain=graded)@20": lambda: PrecisionCWLMetric(20),
    "RBP(p=0.8)@1000": lambda: RBPCWLMetric(0.8),
    "RBP(p=0.999, gain=graded)@1000": lambda: RBPCWLMetric(0.999),
    "NPV(rate=0.1)@1000": lambda: NPVCWLMetric(0.1),
    "nDCG@10": lambda: NDCGCWLMetric(10),
    "SDCG@1000": lambda: NDCGCWLMetric(1000),
    "RR@1000": lambda: RRCWLMetric(),
    "RR(gain=graded)@1000": lambda: RRCWLMetric(),
    "TrAP(gain=graded)": lambda: APCWLMetric(),
    "INSQ(T=1)@1000": lambda: INSQCWLMetric(1.0),
    "INSQ(T=3)@1000": lambda: INSQCWLMetric(3.0),
    "INST(T=1)@1000": lambda: INSTCWLMetric(1.0),
    "INST(T=2, gain=binary)@1000": lambda: INSTCWLMetric(2.0),
    "INST(T=3.5)@1000": lambda: INSTCWLMetric(3.5),
    "NERR8@10": lambda: NERReq8CWLMetric(10),
    "NERR9@10": lambda: NERReq9CWLMetric(10),
    "NERR10(phi=0.9)@1000": lambda: NERReq10CWLMetric(0.9),
    "NERR11(T=2)@1000": lambda: NERReq11CWLMetric(2.0),
    "BPM(T=1, K=10)@1000": lambda: BPMCWLMetric(1, 10),
    "BPM(T=2.5, K=30)@1000": lambda: BPMCWLMetric(2.5, 30),
    # cwl_eval moves T, not K, by hc: K never moves there
    "BPMD(T=2, K=15, hb=0.5, hc=0, middle=0.5)@1000": lambda: BPMDCWLMetric(2, 15, 0.5, 1.0, 0.5),
    "BPMD(T=1, K=20, hb=1.5, hc=0, middle=0.25)@1000": lambda: BPMDCWLMetric(1, 20, 1.5, 0.7, 0.25),
    "IFT1(T=2, b1=0.9, R1=1)@1000": lambda: IFTGoalCWLMetric(2.0, 0.9, 1.0),
    "IFT1(T=1, b1=0.2, R1=10)@1000": lambda: IFTGoalCWLMetric(1.0, 0.2, 10.0),
    "IFT2(A=0.2, b2=0.9, R2=1)@1000": lambda: IFTRateCWLMetric(0.2, 0.9, 1.0),
    "IFT2(A=0.3, b2=0.1, R2=10)@1000": lambda: IFTRateCWLMetric(0.3, 0.1, 10.0),
    "IFT(T=2, b1=0.9, R1=2, A=0.2, b2=0.5, R2=3)@1000": (
        lambda: IFTGoalRateCWLMetric(2.0, 0.9, 2.0, 0.2, 0.5, 3.0)
    ),
    "SET(b=0.5)@10": lambda: SETCWLMetric(0.5, 10),
    "TBG(halflife=224)@1000": lambda: TBGCWLMetric(224),
    "TBG(halflife=5)@1000": lambda: TBGCWLMetric(5),
    # cwl_eval gives the last of its 1000 ranks no weight
    "UMeasure(L=1000)@999": lambda: UMeasureCWLMetric(1000),
    "UMeasure(L=100000)@999": lambda: UMeasureCWLMetric(100000),
}
LEAVES_AT_THE_END = ("TBG", "UMeasure")  # there cwl_eval sets C(1000) = 0, as @1000 does


@dataclass(frozen=True)
class Sample:
    """Some rankings, as ours and as cwl_eval's."""

    gains: Gains
    labels: list[list[float]]  # of each row; NaN: unjudged
    judged: list[float]  # gain of all judged documents of each row's topic

    def theirs(self, row: int, *, graded: bool) -> Ranking:
        labels = np.array(self.labels[row])
        gains = labels / 2 if graded else np.where(np.isnan(labels), np.nan, labels >= 1)
        cost = self.gains.cost
        costs = np.full(len(labels), np.nan) if cost is None else cost[row, : len(labels)]
        return Ranking("t", gains, costs, max_n=DEEP)


@pytest.fixture(scope="module")
def sample(real: Callable[[str], Real]) -> Callable[[bool], Sample]:
    @cache
    def make(costs: bool) -> Sample:
        data = real("clef2015")
        runs, topics = data.gains.runs, data.gains.topics
        chosen = (
            range(0, len(runs), len(runs) // RUNS),
            range(1, len(topics), len(topics) // TOPICS),
        )
        keep, labels, every = np.zeros(len(data.gains.topic), bool), [], []
        for r in chosen[0]:
            path = next(f for f in data.files if f.name.removesuffix(".gz").startswith(runs[r]))
            lists = slow_reader.rank(slow_reader.read(path.read_bytes()), order="score32").lists
            for t in chosen[1]:
                judged = data.qrels[topics[t]]
                found = [judged.get(d, np.nan) for d, _ in lists.get(topics[t], [])[:DEEP]]
                if found:
                    keep[r * len(topics) + t] = True
                    labels.append(found)
                    every.append(sum(judged.values()) / 2)
        gains = data.gains.rows(keep)
        if costs:
            draw = np.random.default_rng(5)
            shape = (len(labels), next(iter(gains.dimensions.values())).codes.shape[1])
            gains = replace(gains, cost=draw.uniform(0.2, 3.0, shape), cache={})
        return Sample(gains, labels, every)

    return make


def values(text: str, gains: Gains) -> dict[str, Floats]:
    return {
        figure: parse(f"{figure}({text})", dimensions=["topicality"]).value(gains)
        for figure in FIGURES
    }


def walk(text: str, gains: Gains) -> Walk:
    """The way of our user, to see where it ends."""
    measure = parse(f"ED({text})", dimensions=["topicality"])
    model = MODELS[text.partition("(")[0].partition("@")[0]]
    view = gains.view(measure.readings).at(measure.cutoff)
    return model.walk(model.ranks(view), measure.params)


def is_graded(text: str, gains: Gains) -> bool:
    measure = parse(f"EU({text})", dimensions=["topicality"])
    return measure.readings["topicality"] == "gain"


def measured(text: str, sample: Sample, rows: range) -> Iterator[tuple[int, dict[str, float]]]:
    metric = SAME[text]()
    slow = isinstance(metric, APCWLMetric)  # quadratic in the depth: 0.2 s a ranking
    for row in rows[:: 3 if slow else 1]:
        metric.measure(sample.theirs(row, graded=is_graded(text, sample.gains)))
        yield row, dict(zip(FIGURES, metric.get_scores(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("costs", [False, True], ids=["unit costs", "costs"])
@pytest.mark.parametrize("text", SAME)
def test_as_cwl_eval(
    sample: Callable[[bool], Sample], text: str, costs: bool, record_property: Callable
) -> None:
    data = sample(costs)
    ours, way = values(text, data.gains), walk(text, data.gains)
    model = text.partition("(")[0].partition("@")[0]
    # The users cwl_eval loses: those who would go on behind rank 1000.
    last = (
        np.atleast_2d(MODELS[model].continuation(way.ranks, _params(text)))[:, -1]
        * way.reach[:, -1]
    )
    deep = text.endswith("@1000") and model not in (*LEAVES_AT_THE_END, "SDCG")
    lost = np.broadcast_to(last if deep else 0.0, (len(data.labels),))
    expected = dict(ours)
    expected["ETU"] = ours["ETU"] - lost * way.ranks.gain.sum(axis=1)
    expected["ETC"] = ours["ETC"] - lost * way.ranks.cost.sum(axis=1)
    worst, compared = 0.0, 0
    for row, theirs in measured(text, data, range(len(data.labels))):
        for figure in FIGURES:
            difference = abs(expected[figure][row] - theirs[figure]) / max(1, theirs[figure])
            worst, compared = max(worst, difference), compared + 1
    print(f"\n{text}: {compared} values compared, greatest relative difference {worst:.1e}")
    record_property("compared", compared)
    assert worst < 1e-11
    assert compared >= (50 if text.startswith("TrAP") else 150)


def _params(text: str) -> dict:
    return dict(parse(f"ED({text})", dimensions=["topicality"]).params)


ENDLESS = ["RBP(p=0.999, gain=graded)", "NPV(rate=0.1)", "INSQ(T=3)", "INST(T=1)", "INST(T=3.5)",
           "NERR10(phi=0.9)", "NERR11(T=2)", "TBG(halflife=224)"]  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS)
def test_the_identity_behind_rank_1000(sample: Callable[[bool], Sample], text: str) -> None:
    """ED = ED' + R and EU ED = EU' ED' link our endless lists to cwl_eval's 1000 ranks."""
    data = sample(False)
    ours = values(text, data.gains)
    behind = np.broadcast_to(walk(text, data.gains).tail, (len(data.labels),))
    full = np.array([len(labels) == DEEP for labels in data.labels])
    assert full.sum() >= 15  # in shorter lists our tail starts at their end
    for row, theirs in measured(f"{text}@1000", data, range(len(data.labels))):
        if full[row]:
            assert ours["ED"][row] == pytest.approx(theirs["ED"] + behind[row], rel=1e-11)
        product = ours["EU"][row] * ours["ED"][row]
        assert product == pytest.approx(theirs["EU"] * theirs["ED"], rel=1e-11, abs=1e-12)
        assert ours["ETU"][row] == pytest.approx(product, rel=1e-11, abs=1e-12)


def test_average_precision_counts_what_was_not_retrieved(
    sample: Callable[[bool], Sample],
) -> None:
    """EU R = EU' R', ED R' = ED' R: R the gain of all judged documents, R' of those retrieved."""
    data = sample(False)
    plain = parse("AP", dimensions=["topicality"]).value(data.gains)
    binary = values("AP", data.gains)["EU"]
    np.testing.assert_allclose(binary, plain, rtol=1e-11)
    ours, compared = values("AP(gain=graded)", data.gains), 0
    for row, theirs in measured("TrAP(gain=graded)", data, range(len(data.labels))):
        found, every = np.nansum(data.labels[row]) / 2, data.judged[row]
        assert ours["EU"][row] * every == pytest.approx(theirs["EU"] * found, rel=1e-11)
        if found:
            assert ours["ED"][row] * found == pytest.approx(theirs["ED"] * every, rel=1e-11)
            compared += found < every
    assert compared > 5


FILLED = ["P@5", "RBP(p=0.8)@1000", "nDCG@10", "RR@1000", "INSQ(T=1)@1000", "INST(T=1)@1000",
          "INST(T=2, gain=binary)@1000", "NERR8@10", "NERR9@10", "NERR10(phi=0.9)@1000",
          "NERR11(T=2)@1000", "BPM(T=1, K=10)@1000", "TBG(halflife=5)@1000"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", FILLED)
def test_residuals(sample: Callable[[bool], Sample], text: str) -> None:
    """Where filling bounds the figure, our ends are cwl_eval's worst and best case."""
    data, wide = sample(False), 0
    gains = data.gains
    for figure in ("EU", "ED"):
        ours = parse(f"{figure}({text})", dimensions=["topicality"]).scores(gains)
        for row in range(len(data.labels)):
            metric = SAME[text]()
            metric.residuals = True
            metric.measure(data.theirs(row, graded=is_graded(text, gains)))
            if figure == "EU":
                lower, upper = metric.expected_utility, metric.residual_expected_utility
            else:
                lower, upper = metric.expected_items, metric.residual_expected_items
            ends = sorted([lower, lower + upper])
            # The bounds of BPM with graded gains are wider: filling is none there.
            if not text.startswith("BPM") or figure == "ED":
                assert (ours.lower[row], ours.upper[row]) == pytest.approx(ends, rel=1e-11)
            else:
                assert ours.lower[row] <= ends[0] + 1e-12
                assert ends[1] <= ours.upper[row] + 1e-12
            wide += ours.upper[row] > ours.lower[row]
    assert wide
