"""The rank correlations the papers print, from the official means and from our own scores."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.audit.published import ALL
from pipeline.measures import parse
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from tests.real.test_ubire import bench, published

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def means(data: Path) -> dict[str, np.ndarray]:
    """The official means of all 110 runs."""
    found = published(data)
    everything = found.topic.number == found.topic.names.index(ALL)
    columns = {}
    for name in ("RBP(0.8)", "uRBP(0.8)", "uRBPgr(0.8)"):
        mine = everything & (found.source.number == found.source.names.index(f"ubire {name}"))
        order = np.argsort(found.run.number[mine])
        columns[name] = found.value[mine][order]
        assert len(columns[name]) == 110
    return columns


def top_overlap(x: np.ndarray, y: np.ndarray) -> float:
    """What ubire calls TauAP: the mean overlap of the two top-i sets, scaled to [-1, 1].

    Yilmaz, Aslam and Robertson walk down one ranking and ask, at each run, which share of those
    above it the other ranking also puts *above that run*. ubire asks which share of the first i
    runs are also among the first i of the other: the order inside the sets no longer counts, so
    swaps near the top cost less and the figure is higher.
    """
    a, b = (np.argsort(-scores, kind="stable").tolist() for scores in (x, y))
    n = len(a)
    shares = [len(set(a[:i]) & set(b[:i])) / i for i in range(1, n)]
    return 2 / (n - 1) * sum(shares) - 1


# Zuccon, ECIR 2016, prints tau 0.8666 and 0.9077, and "tau_AP" 0.8168 and 0.8866
PRINTED = {"uRBP(0.8)": (0.8666, 0.8168, 0.796), "uRBPgr(0.8)": (0.9077, 0.8866, 0.861)}


@pytest.mark.parametrize("measure", PRINTED)
def test_the_printed_tau(means: dict[str, np.ndarray], measure: str) -> None:
    assert round(tau_b(means["RBP(0.8)"], means[measure]), 4) == PRINTED[measure][0]


@pytest.mark.parametrize("measure", PRINTED)
def test_the_printed_tau_ap_is_an_overlap(means: dict[str, np.ndarray], measure: str) -> None:
    _, printed, yilmaz = PRINTED[measure]
    overlap = top_overlap(means["RBP(0.8)"], means[measure])
    assert overlap == pytest.approx(printed, abs=0.001)  # ties decide the last digit
    real = tau_ap(means["RBP(0.8)"], means[measure])
    assert real == pytest.approx(yilmaz, abs=0.002)
    assert overlap - real > 0.015  # so no rounding and no tie explains one by the other


def test_the_overlap_by_hand() -> None:
    """Orders abc and bac: tops {a}, {b} share nothing, tops of two share both: 2/2 * (0 + 1) - 1.

    AP correlation sees the swapped pair as discordant: (-1 + 1) / 2.
    """
    assert top_overlap(np.array([3, 2, 1]), np.array([2, 3, 1])) == 0
    assert tau_ap([3, 2, 1], [2, 3, 1]) == 0
    # abcd and bacd, against abcd and abdc: the overlap tells the places apart, as AP does ...
    assert top_overlap(np.array([4, 3, 2, 1]), np.array([3, 4, 2, 1])) == pytest.approx(1 / 3)
    assert top_overlap(np.array([4, 3, 2, 1]), np.array([4, 3, 1, 2])) == pytest.approx(7 / 9)
    assert tau_ap([4, 3, 2, 1], [4, 3, 1, 2]) == pytest.approx(1 - 2 / 9)
    # ... but a reversal of the last three costs AP a fifth more of the whole scale
    x, y = np.array([5, 4, 3, 2, 1]), np.array([5, 4, 1, 2, 3])
    assert top_overlap(x, y) > tau_ap(x, y)


# The 68 runs at hand, labels per topic, by score. A pair of RBP_u means a billionth apart hangs on
# how scores are compared: as 64-bit floats the figures are those first measured, as 32-bit floats
# (trec_eval 9) the last digit moves.
H = {
    ("RBP", "uRBP"): {"score64": 0.898, "score": 0.898},
    ("RBP", "RBP_u"): {"score64": 0.524, "score": 0.522},
    ("uRBP", "RBP_u"): {"score64": 0.612, "score": 0.610},
    ("RBP", "H"): {"score64": 0.872, "score": 0.872},
    ("uRBP", "H"): {"score64": 0.929, "score": 0.929},
    ("RBP_u", "H"): {"score64": 0.637, "score": 0.636},
}
EXPRESSIONS = {
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBP(p=0.8)",
    "RBP_u": "RBP(p=0.8, on=understandability)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}


@pytest.fixture(scope="module", params=["score64", "score"])
def ours(data: Path, request: pytest.FixtureRequest) -> tuple[str, dict[str, np.ndarray]]:
    """The order, and each measure's means under it."""
    gains = bench(data).gains(request.param)
    assert (len(gains.runs), len(gains.topics)) == (68, 66)
    found = {}
    for name, text in EXPRESSIONS.items():
        measure = parse(text, dimensions=list(gains.dimensions))
        found[name] = measure.overall(measure.value(gains), gains)
    return request.param, found


@pytest.mark.slow
@pytest.mark.parametrize("pair", H, ids=["-".join(pair) for pair in H])
def test_the_correlations_of_h(
    ours: tuple[str, dict[str, np.ndarray]], pair: tuple[str, str]
) -> None:
    order, found = ours
    tau = tau_b(found[pair[0]], found[pair[1]])
    assert tau == pytest.approx(H[pair][order], abs=0.00051)
