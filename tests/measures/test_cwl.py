"""C/W/L: by hand, against a slow reference, and bounds against every possible label."""

import importlib.util
import math
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains import step
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels.costs import read as read_costs
from pipeline.measures import REGISTRY, parse
from pipeline.measures.cwl.declare import FIGURES, MODELS
from pipeline.measures.cwl.models.goals import squares_from
from pipeline.measures.cwl.walk import Ranks, Walk
from pipeline.storage.arrays import Floats
from tests.builders import GRADED, Judged, build, campaign, ranked, run_text, score, value

NAMES = ("EU", "ETU", "EC", "ETC", "ED")

# ---- a slow reference: C of each model as its paper says it, one list at a time ---------------

Chance = Callable[[int, list[float], list[float]], float]  # rank, gains and costs up to it


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def bpmd(i: int, g: list, c: list, T: float, K: float, hb: float, hc: float, mid: float) -> float:
    for gain in g[:-1]:
        T, K = T + hb * (gain - mid), K + hc * (gain - mid)
    return float(sum(g) < T - 1e-9 and sum(c) < K - 1e-9)


SLOW: dict[str, Chance] = {
    "P@4": lambda i, g, c: float(i < 4),
    "P@9": lambda i, g, c: float(i < 9),
    "RBP(p=0.7, gain=graded)": lambda i, g, c: 0.7,
    "RBP(p=0.7)@3": lambda i, g, c: 0.7 * (i < 3),
    "NPV(rate=0.25)": lambda i, g, c: 0.8,
    "SDCG@5": lambda i, g, c: math.log2(i + 1) / math.log2(i + 2) * (i < 5),
    "nDCG@5": lambda i, g, c: math.log2(i + 1) / math.log2(i + 2) * (i < 5),
    "DCG@12": lambda i, g, c: math.log2(i + 1) / math.log2(i + 2) * (i < 12),
    "SET(b=0.5)@4": lambda i, g, c: (
        ((i + 2) ** 0.5 - (i + 1) ** 0.5) / ((i + 1) ** 0.5 - i**0.5) * (i < 4)
    ),
    "INSQ(T=2)": lambda i, g, c: ((i + 3) / (i + 4)) ** 2,
    "INST(T=1)": lambda i, g, c: ((i + 1 + (1 - sum(g)) - 1) / (i + 1 + (1 - sum(g)))) ** 2,
    "INST(T=2.5)": lambda i, g, c: ((i + 4 - sum(g)) / (i + 5 - sum(g))) ** 2,
    "INST(T=2)@4": lambda i, g, c: ((i + 3 - sum(g)) / (i + 4 - sum(g))) ** 2 * (i < 4),
    "RR": lambda i, g, c: float(sum(g) == 0 and i < 1000),
    "RR(gain=graded)@4": lambda i, g, c: float(sum(g) == 0 and i < 4),
    "ERR@5": lambda i, g, c: (1 - g[-1]) * (i < 5),
    "ERR": lambda i, g, c: (1 - g[-1]) * (i < 1000),
    "NERR8@5": lambda i, g, c: (1 - g[-1]) * (i < 5),
    "NERR9@5": lambda i, g, c: i / (i + 1) * (1 - g[-1]) * (i < 5),
    "NERR10(phi=0.8)": lambda i, g, c: 0.8 * (1 - g[-1]),
    "NERR11(T=2)": lambda i, g, c: ((i + 3) / (i + 4)) ** 2 * (1 - g[-1]),
    "BPM(T=1, K=4)": lambda i, g, c: float(sum(g) < 1 and sum(c) < 4),
    "BPM(T=1.5, K=9, gain=binary)": lambda i, g, c: float(sum(g) < 1.5 and sum(c) < 9),
    "BPMD(T=1, K=4, hb=0.5, hc=2, middle=0.25)": lambda i, g, c: bpmd(i, g, c, 1, 4, 0.5, 2, 0.25),
    "BPMD(T=1, K=5, hb=1.5, hc=1, middle=0.5)": lambda i, g, c: bpmd(i, g, c, 1, 5, 1.5, 1, 0.5),
    "IFT1(T=1, b1=0.9, R1=3)": lambda i, g, c: (
        (1 - 1 / (1 + 0.9 * math.exp((1 - sum(g)) * 3))) * (i < 1000)
    ),
    "IFT2(A=0.3, b2=0.5, R2=4)": lambda i, g, c: (
        1 / (1 + 0.5 * math.exp((0.3 - sum(g) / sum(c)) * 4)) * (i < 1000)
    ),
    "IFT(T=1, b1=0.9, R1=3, A=0.3, b2=0.5, R2=4)@6": lambda i, g, c: (
        (1 - 1 / (1 + 0.9 * math.exp((1 - sum(g)) * 3)))
        / (1 + 0.5 * math.exp((0.3 - sum(g) / sum(c)) * 4))
        * (i < 6)
    ),
    "TBG(halflife=3)": lambda i, g, c: 2 ** (-c[-1] / 3),
    "UMeasure(L=7)": lambda i, g, c: (
        max(0, 1 - sum(c) / 7) / (1 - sum(c[:-1]) / 7) if sum(c[:-1]) < 7 else 0.0
    ),
    "UMeasure(L=40.5)": lambda i, g, c: (
        max(0, 1 - sum(c) / 40.5) / (1 - sum(c[:-1]) / 40.5) if sum(c[:-1]) < 40.5 else 0.0
    ),
}
SLOWLY = ("INSQ", "INST", "NERR11")  # their sums take for ever; here they are closed


def reference(text: str, gains: list[float], costs: list[float]) -> dict[str, float]:
    """All five figures by adding up rank after rank behind the list's end, gain 0 and cost 1."""
    chance, reach, i = SLOW[text], 1.0, 0
    gain, cost = [], []
    depth = utility = spent = stays = 0.0
    while reach > 1e-15 and i < 1100:
        gain.append(gains[i] if i < len(gains) else 0.0)
        cost.append(costs[i] if i < len(costs) else 1.0)
        i += 1
        depth, utility = depth + reach, utility + reach * gain[-1]
        spent += reach * cost[-1]
        stays = chance(i, gain, cost)
        reach *= stays
    if text.startswith(SLOWLY) and reach > 0:
        # (1 - C)^-1/2 grows by one a rank from here: C(j) = ((x + j) / (x + j + 1))^2
        x = 1 / (1 - math.sqrt(stays))
        rest = reach * x**2 * sum(1 / (x + j) ** 2 for j in range(20000))
        rest += reach * x**2 / (x + 19999.5)
        depth, spent = depth + rest, spent + rest
    return {"EU": utility / depth, "ETU": utility, "EC": spent / depth, "ETC": spent, "ED": depth}


DOCUMENTS = "abcdefghijkl"
COST = {document: 0.25 * (1 + (7 * n) % 8) for n, document in enumerate(DOCUMENTS)}


def priced(data: Gains, lists: dict[str, dict[str, float]]) -> Gains:
    """The same with costs, found by document."""
    depth = next(iter(data.dimensions.values())).codes.shape[1]
    cost = np.ones((len(data.topics), depth))
    for row, topic in enumerate(data.topics):
        for rank, document in enumerate(lists[topic]):
            cost[row, rank] = COST[document]
    return replace(data, cost=cost, cache={})


def some_lists(seed: int, topics: int, longest: int) -> dict[str, dict[str, float]]:
    chance = random.Random(seed)
    return {
        f"q{n:03d}": ranked(" ".join(chance.sample(DOCUMENTS, chance.randrange(1, longest + 1))))
        for n in range(topics)
    }


def as_gain(text: str, label: float) -> float:
    if text.startswith("ERR"):
        return (2**label - 1) / 4
    (how,) = parse(f"EU({text})", dimensions=["t"]).readings.values()
    return label / 2 if how == "gain" else float(label >= 1)


@pytest.mark.parametrize("paid", [False, True], ids=["unit costs", "costs"])
@pytest.mark.parametrize("text", SLOW)
def test_as_the_slow_reference(tmp_path: Path, text: str, paid: bool) -> None:
    lists, chance = some_lists(1, 25, 9), random.Random(2)
    labels = {t: {d: chance.choice([0, 0, 1, 2]) for d in DOCUMENTS} for t in lists}
    labels["q000"] = dict.fromkeys(DOCUMENTS, 0)
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, GRADED)})
    data = priced(data, lists) if paid else data
    ours = {name: value(f"{name}({text})", data) for name in NAMES}
    for row, topic in enumerate(data.topics):
        gains = [as_gain(text, labels[topic][d]) for d in lists[topic]]
        prices = [COST[d] if paid else 1.0 for d in lists[topic]]
        expected = reference(text, gains, prices)
        for name in NAMES:
            assert ours[name][row] == pytest.approx(expected[name], rel=1e-9, abs=1e-12), name


def test_every_model_has_a_slow_reference() -> None:
    known = {text.partition("(")[0].partition("@")[0] for text in SLOW}
    assert known | {"AP", "TrAP"} == set(MODELS)


# ---- by hand ----------------------------------------------------------------------------------

# The list is a b c d, gains 1, 0, .5, 1 (f gains 1 and is not retrieved).
LABELS = {"a": 2, "b": 0, "c": 1, "d": 2, "f": 2}
BY_HAND = {
    "EU(P(gain=graded)@4)": 2.5 / 4,
    "ETU(P(gain=graded)@4)": 2.5,
    "ED(P@4)": 4,
    "ETC(P@4)": 4,
    "EC(P@4)": 1,
    "EU(RBP(p=0.5))": 0.5 + 0.125 + 0.0625,
    "ETU(RBP(p=0.5))": 1 + 0.25 + 0.125,
    "ED(RBP(p=0.5))": 2,
    "ETC(RBP(p=0.8))": 5,
    "ED(RR)": 1,
    "ETU(RR)": 1,
    # AP: 1/1 + 1/3 + 1/4 = 19/12 shared out over ranks 1, 3, 4; R = 4
    "ED(TrAP)": 3 / (19 / 12),
    "ED(AP)": 4 / (19 / 12),
    "EU(AP)": (1 + 2 / 3 + 3 / 4) / 4,
    "EU(TrAP)": (1 + 2 / 3 + 3 / 4) / 3,
    "ETU(AP)": (1 * 1 + 2 / 3 + 3 / 4) / (19 / 12),
    # INSQ(T=1): P = 4/4, 4/9, 4/16, 4/25, ...; sum = 4 (pi^2/6 - 1)
    "ED(INSQ(T=1))": 4 * (math.pi**2 / 6 - 1),
    "INSQ(T=1)": (1 + 0.5 * 0.25 + 0.16) / (4 * (math.pi**2 / 6 - 1)),
    "INSQ(T=1)@2": 1 / (1 + 4 / 9),
    # INST(T=1): after a gain of 1 at rank 1, C(1) = (1/2)^2, C(2) = (2/3)^2, C(3) = (2.5/3.5)^2
    "ETU(INST(T=1)@4)": 1 + 0.25 * (4 / 9) * (0.5 + (5 / 7) ** 2),
    "INST(T=1)@2": 1 / 1.25,
    "NERR8@2": 1,
    "BPM(T=1.5, K=10)": 1.5 / 3,
    "ED(BPM(T=2, K=3))": 3,
    "ED(BPM(T=3, K=10))": 10,
    "TBG(halflife=1)": 0.5 + 0.5 * 0.125 + 0.0625,
    "UMeasure(L=2)": 1 / 1.5,
    "ED(UMeasure(L=2))": 1.5,
    "ED(UMeasure(L=10))": 5.5,
    "SDCG@2": 1 / (1 + 1 / math.log2(3)),
    "ED(nDCG@2)": 1 + 1 / math.log2(3),
}


@pytest.mark.parametrize(("text", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_by_hand(tmp_path: Path, text: str, expected: float) -> None:
    data = build(
        tmp_path, {"r": {"1": ranked("a b c d")}}, {"t": Judged({"1": LABELS, "2": LABELS}, GRADED)}
    )
    found = score(text, data)
    assert found.value[0] == pytest.approx(expected, rel=1e-12)
    assert found.lower[0] == pytest.approx(expected, rel=1e-12) or text.startswith(("ED", "ETC"))
    # topic 2 was not answered: nothing was looked at
    assert (found.value[1], found.lower[1], found.upper[1]) == (0, 0, 0)


def test_squares() -> None:
    x = np.array([0.5, 1.0, 3.25, 1000.0])
    exact = [0.25 * math.pi**2 / 2, math.pi**2 / 6]
    assert squares_from(x)[:2] == pytest.approx(exact, rel=1e-14)
    for at, found in zip(x, squares_from(x), strict=True):
        slow = sum(1 / (at + k) ** 2 for k in range(100000)) + 1 / (at + 99999.5)
        assert found == pytest.approx(at**2 * slow, rel=1e-9)


def test_average_precision_is_its_users_expected_utility(tmp_path: Path) -> None:
    lists, chance = some_lists(5, 40, 9), random.Random(6)
    labels = {t: {d: chance.choice([0, 1, 2]) for d in DOCUMENTS} for t in lists}
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, GRADED)})
    for one, other in [("EU(AP)", "AP"), ("EU(RBP(p=0.9))", "RBP(p=0.9)"), ("EU(P@7)", "P@7"),
                       ("EU(RR)", "RR"), ("EU(INST(T=3))", "INST(T=3)"), ("ETU(RR)", "Success@9"),
                       ("ETU(DCG(gain=graded)@5)", "DCG(gain=graded)@5")]:  # fmt: skip
        np.testing.assert_allclose(value(one, data), value(other, data), rtol=1e-12, atol=1e-14)


def test_err_is_no_expected_utility_but_the_reciprocal_depth_of_its_user(tmp_path: Path) -> None:
    lists, chance = some_lists(7, 30, 9), random.Random(8)
    labels = {t: {d: chance.choice([0, 1, 2]) for d in DOCUMENTS} for t in lists}
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, GRADED)})
    model, view = MODELS["ERR"], data.view({"t": "stop"})
    walk = model.walk(model.ranks(view), {})
    left = walk.reach * walk.ranks.gain  # L(i) = P(i) (1 - C(i)) = P(i) s(i)
    np.testing.assert_allclose((left / walk.ranks.rank).sum(axis=1), value("ERR", data), rtol=1e-12)
    assert (np.abs(value("EU(ERR)", data) - value("ERR", data)) > 0.01).any()


# ---- what holds for every model ---------------------------------------------------------------


def walk_of(text: str, data: Gains) -> tuple[Walk, Floats]:
    measure = parse(f"ED({text})", dimensions=list(data.dimensions))
    model = MODELS[text.partition("(")[0].partition("@")[0]]
    ranks = model.ranks(data.view(measure.readings).at(measure.cutoff))
    return model.walk(ranks, measure.params), model.continuation(ranks, measure.params)


@pytest.mark.parametrize("text", [*SLOW, "AP", "TrAP"])
def test_w_and_l_are_distributions(tmp_path: Path, text: str) -> None:
    """W sums to 1 with its tail, L does, and ED = sum i L(i) = 1 / W(1)."""
    lists, chance = some_lists(9, 30, 9), random.Random(10)
    labels = {t: {d: chance.choice([0, 1, 2]) for d in DOCUMENTS} for t in lists}
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, GRADED)})
    walk, go_on = walk_of(text, data)
    weights = walk.weights
    everywhere = np.broadcast_to(walk.tail, (len(lists),)) / walk.depth
    np.testing.assert_allclose(weights.sum(axis=1) + everywhere, 1, rtol=1e-12)
    assert ((weights >= 0) & (np.diff(weights, axis=1, prepend=weights[:, :1]) <= 1e-15)).all()
    assert ((go_on >= 0) & (go_on <= 1)).all()
    np.testing.assert_allclose(1 / weights[:, 0], walk.depth, rtol=1e-12)
    ends = np.where(walk.tail > 0, 1.0, 0.0)  # the users still there behind the last rank
    stop = 1 - go_on
    stop[:, -1] = np.where(np.broadcast_to(ends, stop[:, -1].shape) > 0, stop[:, -1], 1.0)
    leave = walk.reach * stop
    stay = walk.reach[:, -1] * (1 - stop[:, -1])
    np.testing.assert_allclose(leave.sum(axis=1) + stay, 1, rtol=1e-12)
    last = walk.ranks.depth
    if text != "AP":  # whose tail nobody reaches
        shown = (leave * walk.ranks.rank).sum(axis=1) + stay * last + walk.tail
        np.testing.assert_allclose(np.broadcast_to(shown, walk.depth.shape), walk.depth, rtol=1e-12)
    np.testing.assert_allclose(
        np.broadcast_to((leave * np.cumsum(walk.ranks.gain, axis=1)).sum(axis=1)
                        + stay * walk.ranks.gain.sum(axis=1), walk.depth.shape),
        walk.utility, rtol=1e-11, atol=1e-14,
    )  # fmt: skip


@pytest.mark.parametrize("text", [*SLOW, "AP", "TrAP"])
def test_other_runs_do_not_matter(tmp_path: Path, text: str) -> None:
    """A longer run beside it makes the arrays deeper, not the figures."""
    lists, judged = some_lists(11, 10, 5), {}
    chance = random.Random(12)
    for topic in lists:
        judged[topic] = {d: chance.choice([0, 1, 2]) for d in DOCUMENTS if chance.random() < 0.7}
        judged[topic]["a"] = 1
    deep = {topic: ranked(" ".join([*DOCUMENTS, *(f"x{n}" for n in range(40))])) for topic in lists}
    alone = build(tmp_path / "1", {"r": lists}, {"t": Judged(judged, GRADED)})
    beside = build(tmp_path / "2", {"r": lists, "z": deep}, {"t": Judged(judged, GRADED)})
    for name in NAMES:
        one, two = score(f"{name}({text})", alone), score(f"{name}({text})", beside)
        for end in ("value", "lower", "upper"):
            np.testing.assert_allclose(
                getattr(one, end), getattr(two, end)[: len(lists)], rtol=1e-9, atol=1e-12
            )


RISING = [text for text in SLOW if parse(f"EU({text})", dimensions=["t"]).declaration.rises]


def test_the_models_that_rise_are_known() -> None:
    names = {text.partition("(")[0].partition("@")[0] for text in RISING}
    assert names == {"P", "RBP", "NPV", "SDCG", "DCG", "nDCG", "SET", "INSQ", "INST", "ERR",
                     "NERR8", "NERR9", "NERR10", "NERR11"}  # fmt: skip


@pytest.mark.parametrize("text", RISING)
def test_more_gain_or_the_same_sooner_never_hurts(tmp_path: Path, text: str) -> None:
    """Over all lists of five documents with three grades."""
    every = list(product([0, 1, 2], repeat=5))
    lists = {"".join(map(str, labels)): ranked("a b c d e") for labels in every}
    judged = {t: dict(zip("abcde", map(int, t), strict=True)) for t in lists}
    data = build(tmp_path, {"r": lists}, {"t": Judged(judged, GRADED)})
    for name in ("EU", "ETU"):
        found = dict(zip(data.topics, value(f"{name}({text})", data).tolist(), strict=True))
        for labels, got in found.items():
            for k in range(5):
                if labels[k] < "2":
                    more = labels[:k] + str(int(labels[k]) + 1) + labels[k + 1 :]
                    assert found[more] >= got - 1e-12, (name, labels, more)
                if k and labels[k] > labels[k - 1]:
                    sooner = labels[: k - 1] + labels[k] + labels[k - 1] + labels[k + 1 :]
                    assert found[sooner] >= got - 1e-12, (name, labels, sooner)


# ---- bounds against every possible label ------------------------------------------------------

DEEP_DOUBT = [*SLOW, "AP", "TrAP", "AP(gain=graded)", "TrAP(gain=graded)", "RR(gain=graded)",
              "BPM(T=1, K=4, gain=binary)", "IFT1(T=1, b1=0.9, R1=40)", "INST(T=0.5)",
              "IFT2(A=0.3, b2=0.5, R2=40)", "IFT(T=2, b1=0.9, R1=1, A=0.2, b2=0.9, R2=1)",
              "BPMD(T=1, K=4, hb=1, hc=1, middle=0.5, gain=binary)"]  # fmt: skip


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> tuple[Gains, Gains, list[list[int]]]:
    """Lists with unjudged documents, each list with every possible label, and who belongs to whom.

    The completions are topics of their own, priced as the list they complete.
    """
    chance, lists = random.Random(13), some_lists(14, 40, 6)
    labels, every, whose = {}, {}, []
    full: dict[str, dict[str, float]] = {}
    for topic, ranking in lists.items():
        known = {d: chance.choice([0, 1, 2]) for d in ranking if chance.random() < 0.5}
        known |= {"k": chance.choice([0, 2]), "l": 0} if "k" not in ranking else {"z": 0}
        labels[topic], mine = known, []
        open_ = [d for d in ranking if d not in known]
        for n, chosen in enumerate(product([0, 1, 2], repeat=len(open_))):
            name = f"{topic}.{n:04d}"
            every[name], full[name] = known | dict(zip(open_, chosen, strict=True)), ranking
            mine.append(len(every) - 1)
        whose.append(mine)
    folder = tmp_path_factory.mktemp("doubt")
    some = build(folder / "1", {"r": lists}, {"t": Judged(labels, GRADED)})
    sure = build(folder / "2", {"r": full}, {"t": Judged(every, GRADED)})
    assert list(some.topics) == sorted(lists)
    assert list(sure.topics) == list(every)
    assert max(map(len, whose)) >= 81
    return priced(some, lists), priced(sure, full), whose


@pytest.mark.parametrize("paid", [False, True], ids=["unit costs", "costs"])
@pytest.mark.parametrize("text", DEEP_DOUBT)
def test_bounds_hold_for_every_label(
    doubtful: tuple[Gains, Gains, list[list[int]]], text: str, paid: bool
) -> None:
    some, sure, whose = doubtful
    if not paid:
        some, sure = (replace(data, cost=None, cache={}) for data in (some, sure))
    measure = parse(f"EU({text})", dimensions=["t"])
    cut = measure.cutoff or 10**6
    for name in NAMES:
        ends, values = score(f"{name}({text})", some), value(f"{name}({text})", sure)
        wide = exact = 0
        for row, mine in enumerate(whose):
            least, most = values[mine].min(), values[mine].max()
            slack = 1e-11 * max(1, most)
            assert ends.lower[row] <= least + slack, (name, row)
            assert ends.upper[row] >= most - slack, (name, row)
            assert ends.lower[row] <= ends.value[row] + slack
            assert ends.value[row] <= ends.upper[row] + slack
            wide += most > least + slack
            ended = some.length[row] >= cut
            if ended and len(mine) == 1:  # nothing is in doubt, so nothing may seem so
                assert ends.lower[row] == pytest.approx(most) == ends.upper[row]
            if ended and name in ("EU", "ETU", "ED") and _filled(text):
                assert (ends.lower[row], ends.upper[row]) == pytest.approx((least, most), rel=1e-10)
                exact += len(mine) > 1
        assert np.isfinite([ends.lower, ends.upper]).all()
        if name == "EU":
            assert wide > 5
            assert ends.upper.max() <= 1 + 1e-12
            assert exact or measure.cutoff is None or not _filled(text) or cut > 5


def _filled(text: str) -> bool:
    """Models whose bounds are reached by filling."""
    model = MODELS[text.partition("(")[0].partition("@")[0]]
    return model.fills == "always" or model.answers == "none"


def test_filling_is_no_bound_for_a_player_with_a_target(tmp_path: Path) -> None:
    """Gains .9 x 1, T = 1: x = 0 gives 1.9/3, x = 1 gives 1.9/2, but x = .1 stops her: 1/2."""
    scale = Scale(0, 10, "high", 1, None, ())
    labels = {"1": {"a": 9, "c": 10}, "2": {"a": 9, "b": 1, "c": 10}}
    lists = dict.fromkeys(labels, ranked("a b c"))
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, scale)})
    found = score("BPM(T=1, K=10)@3", data)
    assert found.value == pytest.approx([1.9 / 3, 0.5])
    assert found.lower[0] == pytest.approx(0.45)  # .9/2 at most too low
    assert found.upper[0] == pytest.approx(2.9 / 3)


# ---- writing them -----------------------------------------------------------------------------


def test_names_parse_back() -> None:
    for figure, model in product(FIGURES, MODELS):
        cut = "@10" if MODELS[model].cutoff == "required" else ""
        for text in (f"{figure}({model}{cut})", f"{figure}(u{model}gr(by=u){cut})"):
            measure = parse(text, dimensions=["t", "u"])
            assert parse(measure.name, dimensions=["t", "u"]) == measure
            assert measure.formula
            assert measure.citation
            assert all(importlib.util.find_spec(module) for module in measure.modules)


def test_a_plain_name_is_expected_utility() -> None:
    for name, model in MODELS.items():
        if name in REGISTRY and REGISTRY[name].module == model.module:
            assert REGISTRY[name] is FIGURES["EU"][name]
    plain = {"INST", "INSQ", "BPM", "BPMD", "IFT", "IFT1", "IFT2", "TBG", "UMeasure", "SDCG"}
    assert all(REGISTRY[name] is FIGURES["EU"][name] for name in plain)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ETU", "ETU takes one user model; write ETU(RBP(p=0.8))"),
        ("ETU(RBP)@3", "ETU takes one user model; write ETU(RBP(p=0.8))"),
        ("ETU(RBP, t=1)", "ETU takes one user model; write ETU(RBP(p=0.8))"),
        ("ETU(H(RBP, t=1, u=1))", "ETU takes one user model; write ETU(RBP(p=0.8))"),
        ("EU(AP@3)", "AP takes no cutoff; leave out @3"),
        ("EU(nDCG)", "nDCG needs a cutoff, such as nDCG@10"),
        ("ED(INST(T=0.2))", "T=0.2 must be a number from 0.5 up"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text, dimensions=["t", "u"])
    assert str(error.value) == f"measure '{text}': {problem}"


def test_over_several_dimensions(tmp_path: Path) -> None:
    judged = {
        "t": Judged({"1": {"a": 1, "b": 1}}),
        "understandability": Judged({"1": {"a": 0, "b": 1}}),
    }
    data = build(tmp_path, {"r": {"1": ranked("a b")}}, judged)
    assert value("uINST(T=1)@2", data)[0] == pytest.approx((4 / 9) / (1 + 4 / 9))
    assert value("ED(uINST(T=1)@2)", data)[0] == pytest.approx(1 + 4 / 9)
    harmonic = value("H(INST(T=1)@2, t=1, understandability=1)", data)[0]
    one, two = 1.0, (4 / 9) / (1 + 4 / 9)
    assert harmonic == pytest.approx(2 / (1 / one + 1 / two))


# ---- costs --------------------------------------------------------------------------------------


def test_costs_of_a_file(tmp_path: Path) -> None:
    files = {"r": run_text({"1": ranked("a x b c")})}
    small = campaign(tmp_path, files, {"t": Judged({"1": {"a": 1, "b": 0, "c": 1}})})
    (tmp_path / "costs").write_text("c\t4\na 2\n\nelsewhere 9\n", encoding="utf-8")
    known = read_costs(tmp_path / "costs")
    assert known == {"c": 4, "a": 2, "elsewhere": 9}
    out = tmp_path / "_costs.npz"
    step.write(rankings=small.rankings, labels={}, topics=["1"], costs=(known, 0.5), out=tmp_path)
    zero = read_gains(small.gains, costs=out)
    assert value("ETC(P@4)", zero)[0] == 2 + 0.5 + 0.5 + 4
    assert value("EC(P@6)", zero)[0] == 8 / 6
    dropped = read_gains(small.gains, costs=out, unjudged="condensed")
    assert value("ETC(P@3)", dropped)[0] == 2 + 0.5 + 4
    assert value("ETC(P@4)", dropped)[0] == 2 + 0.5 + 4 + 0.5  # the dropped one costs nothing
    assert value("ED(BPM(T=9, K=3))", zero)[0] == 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a 1\nb\n", (2, "1 columns")),
        ("a 0\n", (1, "'0'")),
        ("a much\n", (1, "'much'")),
        ("a nan\n", (1, "'nan'")),
        ("a 1\na 2\n", (2, "the cost 2 here and 1 above")),
    ],
)
def test_costs_that_are_none(tmp_path: Path, text: str, problem: tuple[int, str]) -> None:
    (tmp_path / "costs").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_costs(tmp_path / "costs")
    (found,) = error.value.problems
    assert (found.where, found.line) == (tmp_path / "costs", problem[0])
    assert problem[1] in found.what
    assert found.fix


# ---- your own ---------------------------------------------------------------------------------


def test_the_example_of_the_docs_works(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs/explanations/cwl.md").read_text(encoding="utf-8")
    example = text.split("```python\n")[1].split("```")[0]
    module = tmp_path / "patient.py"
    module.write_text(example, encoding="utf-8")
    before = set(MODELS)
    try:
        exec(compile(example, str(module), "exec"), {"__name__": "patient"})
        (name,) = set(MODELS) - before
        data = build(
            tmp_path, {"r": {"1": ranked("a b c")}}, {"t": Judged({"1": {"a": 1, "c": 1}})}
        )
        found = score(f"ED({name}(p=0.5, boredom=0.5))", data)
        # C = .5, .25, .5, then .25, .25, ...: 1 + .5 + .125 + .0625 (1 + 1/4 + ...)
        assert found.value[0] == pytest.approx(1 + 0.5 + 0.125 + 0.0625 / 0.75)
        assert found.lower[0] <= found.value[0] <= found.upper[0]
        assert parse(name, dimensions=["t"]).modules == ("patient",)
    finally:
        _forget(set(MODELS) - before)


def _forget(names: set[str]) -> None:
    for name in names:
        for registry in (MODELS, REGISTRY, *FIGURES.values()):
            if name in registry:
                registry.remove(name)


def test_gains_above_one_are_refused(tmp_path: Path) -> None:
    data = build(tmp_path, {"r": {"1": ranked("a")}}, {"t": Judged({"1": {"a": 2}}, GRADED)})
    view = data.view({"t": "grade"})
    with pytest.raises(InputError, match=r"'INST': .*\b2\b"):
        MODELS["INST"].ranks(view)
    assert isinstance(MODELS["INST"].ranks(data.view({"t": "gain"})), Ranks)


def test_ties_are_averaged_exactly_where_gains_enter_linearly() -> None:
    """Expected utility of a user who does not react is linear in the gains; of others it is not."""
    linear = {m for m in MODELS if FIGURES["EU"][m].expected == "linear"}
    assert linear == {"P", "RBP", "NPV", "SDCG", "DCG", "nDCG", "SET", "INSQ"}
