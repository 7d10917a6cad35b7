"""Combinations of dimensions: worked by hand, and bounds against every possible label."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains.gains import Gains
from pipeline.measures import COMBINATIONS, parse
from pipeline.measures.evaluate import evaluate
from pipeline.measures.measure import Combined
from pipeline.measures.ties import under_ties
from tests.builders import BINARY, Judged, build, campaign, ranked, run_text, score, write_ties
from tests.measures.test_measures import (
    MAP,
    average_precision,
    completions,
    harmonic,
    ndcg,
    precision,
    random_labels,
    random_lists,
    rbp,
)

T, U = "topicality", "understandability"
EQUAL = f"{T}=1, {U}=1"

# The list is a b c d; topicality a 1, b 0, c 1, d not judged, f (not retrieved) 1;
# understandability (gains 0 .4 .8 1, good from 2) a 3, b 2, c 1, d 3, f 0.
# RBP(p=0.5): topical .5 + .125 = .625; understandable .5 + .25 + .0625 = .8125.
DISTANCE = 1 - math.sqrt(1 / 2)  # good in one of two dimensions
BY_HAND = {
    f"CAM(RBP(p=0.5), {EQUAL})": (0.625 + 0.8125) / 2,
    f"CAM(RBP(p=0.5), {T}=3, {U}=1)": (3 * 0.625 + 0.8125) / 4,
    f"G(RBP(p=0.5), {EQUAL})": math.sqrt(0.625 * 0.8125),
    f"G(RBP(p=0.5), {T}=3, {U}=1)": (0.625**3 * 0.8125) ** 0.25,
    f"H(RBP(p=0.5), {T}=3, {U}=1)": 4 / (3 / 0.625 + 1 / 0.8125),
    f"Hmeans(RBP(p=0.5), {EQUAL})": 2 / (1 / 0.625 + 1 / 0.8125),  # a topic for itself: as H
    # binary sums a 1, b 1/2, c 1/2, d 1/2
    f"nWCS(RBP(p=0.5), {EQUAL})": 0.5 + (0.25 + 0.125 + 0.0625) / 2,
    f"nWCS(P@4, {T}=3, {U}=1)": (1 + 1 / 4 + 3 / 4 + 1 / 4) / 4,
    # graded sums a 1, b .4, c .7, d .5, f .5: d and f are in the ideal, each judged somewhere
    f"nWCS(nDCG@3, {EQUAL})": (1 + 0.4 / math.log2(3) + 0.7 / 2)
    / (1 + 0.7 / math.log2(3) + 0.5 / 2),
    f"TOMA(RBP(p=0.5), {EQUAL})": 0.5 + (0.25 + 0.125 + 0.0625) * DISTANCE,
    # b: one quarter of the weight is good; graded c: distance sqrt(.6^2 / 2)
    f"TOMA(P@2, {T}=3, {U}=1)": (1 + 1 - math.sqrt(3 / 4)) / 2,
    f"TOMA(P(gain=graded)@3, {EQUAL})": (
        1 + (1 - math.sqrt((1 + 0.2**2) / 2)) + (1 - math.sqrt(0.6**2 / 2))
    )
    / 3,
    # helpful: a; harmful: c (on topic, hard); d is not known to be on topic
    f"Helpful(RBP(p=0.5), {EQUAL})": 0.5,
    f"Harmful(RBP(p=0.5), {EQUAL})": 0.125,
    f"HelpHarm(RBP(p=0.5), {EQUAL})": 0.5 - 0.125,
    f"Helpful(RBP(p=0.5, gain=graded), {EQUAL})": 0.5 + 0.125 * 0.4,
    f"Harmful(RBP(p=0.5, gain=graded), {EQUAL})": 0.125 * 0.6,
    f"HelpHarm(P(gain=graded)@4, {EQUAL})": (1 + 0.4 - 0.6) / 4,
}


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Gains:
    return build(
        tmp_path_factory.mktemp("hand"),
        {"r": {"1": ranked("a b c d")}},
        {
            T: Judged({"1": {"a": 1, "b": 0, "c": 1, "f": 1}, "2": {"a": 1}}),
            U: Judged({"1": {"a": 3, "b": 2, "c": 1, "d": 3, "f": 0}}, MAP),
        },
    )


@pytest.mark.parametrize(("measure", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_by_hand(hand: Gains, measure: str, expected: float) -> None:
    scores = score(measure, hand)
    assert scores.value[0] == pytest.approx(expected, rel=1e-12)
    assert scores.lower[0] <= scores.value[0] <= scores.upper[0]
    assert (scores.lower[1], scores.value[1], scores.upper[1]) == (0, 0, 0)  # not answered


# a gains 1 in both, c 1 and .4; b is not on topic, d nobody judged
WEIGHTED = {
    f"uRBPgr(p=0.5, {U}=0.5)": 0.5 + 0.125 * math.sqrt(0.4),
    f"uRBPgr(p=0.5, {U}=2)": 0.5 + 0.125 * 0.16,
    f"uRBPgr(p=0.5, {T}=3)": 0.5 + 0.125 * 0.4,  # 0 and 1 stay what they are
    f"uRBP(p=0.5, {U}=2)": 0.5,
}


@pytest.mark.parametrize(("measure", "expected"), WEIGHTED.items(), ids=WEIGHTED)
def test_weights_of_the_product_are_exponents(hand: Gains, measure: str, expected: float) -> None:
    scores = score(measure, hand)
    assert scores.value[0] == pytest.approx(expected, rel=1e-12)
    assert scores.lower[0] <= scores.value[0] <= scores.upper[0]
    parsed = parse(measure, dimensions=[T, U])
    assert parsed.name == measure
    assert "^" in parsed.formula
    assert "exponents" in parsed.citation


def test_equal_weights_are_the_plain_product(hand: Gains) -> None:
    plain = parse("uRBPgr(p=0.5)", dimensions=[T, U])
    assert parse(f"uRBPgr(p=0.5, {T}=1, {U}=1)", dimensions=[T, U]) == plain


def test_a_heavier_dimension_costs_a_hard_document_more(hand: Gains) -> None:
    values = [score(f"uRBPgr(p=0.5, {U}={w})", hand).value[0] for w in (0.25, 0.5, 2, 4)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


@pytest.mark.parametrize("name", COMBINATIONS)
def test_every_combination_is_worked_by_hand_and_parses_back(name: str) -> None:
    mine = [measure for measure in BY_HAND if measure.startswith(f"{name}(")]
    assert mine
    for text in mine:
        measure = parse(text, dimensions=[T, U])
        assert measure.name == text
        assert measure.citation
        assert measure.formula
        place = 0 if isinstance(measure, Combined) else -1
        assert measure.modules[place].startswith("pipeline.measures.combinations.")


def test_three_dimensions_by_hand(tmp_path: Path) -> None:
    """Helpful and harmful share the topical gain by the weights of the others, here 3 to 1."""
    data = build(
        tmp_path,
        {"r": {"1": ranked("a b")}},
        {
            T: Judged({"1": {"a": 1, "b": 1}}),
            U: Judged({"1": {"a": 1, "b": 0}}),
            "trust": Judged({"1": {"a": 0, "b": 0}}),
        },
    )
    weights = f"{T}=2, {U}=3, trust=1"
    assert score(f"Helpful(P@2, {weights})", data).value.tolist() == [0.75 / 2]
    assert score(f"Harmful(P@2, {weights})", data).value.tolist() == [(0.25 + 1) / 2]
    assert score(f"HelpHarm(P@2, {weights})", data).value.tolist() == [(0.75 - 1.25) / 2]
    assert score(f"nWCS(P@2, {weights})", data).value.tolist() == [(5 / 6 + 2 / 6) / 2]
    toma = score(f"TOMA(P@1, {weights})", data).value[0]
    assert toma == pytest.approx(1 - math.sqrt(1 / 6), rel=1e-12)


def test_means_of_the_dimensions_come_in_their_order(hand: Gains) -> None:
    names = ("H", "G", "CAM")
    h, g, cam = (score(f"{name}(RBP(p=0.5), {EQUAL})", hand).value[0] for name in names)
    assert h < g < cam


@pytest.mark.parametrize("name", ["nWCS", "TOMA", "Helpful", "Harmful", "HelpHarm"])
def test_gains_must_be_from_0_to_1(name: str) -> None:
    from pipeline.measures import REGISTRY

    other = next((m for m, d in REGISTRY.items() if d.gain not in ("binary", "gain")), None)
    if other is None:
        pytest.skip("no measure reads anything but gains")
    cut = "@5" if REGISTRY[other].cutoff == "required" else ""
    with pytest.raises(InputError, match="gain=graded"):
        parse(f"{name}({other}{cut}, {EQUAL})", dimensions=[T, U])
    parse(f"{name}({other}(gain=graded){cut}, {EQUAL})", dimensions=[T, U])


# ---- the ends, against every label ----------------------------------------------------------

Pair = tuple[float, float]  # gains of one document
Each = Callable[[Pair], float]


def plain(mix: Each, function: Callable[[list, list], float]) -> Callable:
    return lambda listed, every: function([mix(p) for p in listed], [mix(p) for p in every])


def over_each(combine: Callable[[float, float], float], function: Callable) -> Callable:
    return lambda listed, every: combine(
        *(function([p[d] for p in listed], [p[d] for p in every]) for d in (0, 1))
    )


def helps(pair: Pair) -> float:
    return pair[0] * pair[1]


def harms(pair: Pair) -> float:
    return pair[0] * (1 - pair[1])


def toma(pair: Pair) -> float:
    return 1 - math.sqrt((2 * (1 - pair[0]) ** 2 + (1 - pair[1]) ** 2) / 3)


def nwcs(pair: Pair) -> float:
    return (2 * pair[0] + pair[1]) / 3


def rbp7(gains: list, every: list) -> float:
    return rbp(gains, 0.7)


def p3(gains: list, every: list) -> float:
    return precision(gains, 3)


def ndcg3(gains: list, every: list) -> float:
    return ndcg(gains, every, 3)


def cam(a: float, b: float) -> float:
    return (2 * a + b) / 3


def geometric(a: float, b: float) -> float:
    return (a * a * b) ** (1 / 3)


def hmean(a: float, b: float) -> float:
    return harmonic((2, a), (1, b))


WEIGHTS = f"{T}=2, {U}=1"
ENDS: dict[str, tuple[Callable, bool, bool]] = {
    # measure: its value from the pairs of gains of the list and of all; graded? exact ends?
    f"CAM(RBP(p=0.7), {WEIGHTS})": (over_each(cam, rbp7), False, False),
    f"CAM(P@3, {WEIGHTS})": (over_each(cam, p3), False, True),
    f"CAM(AP, {WEIGHTS})": (over_each(cam, average_precision), False, True),
    f"G(P@3, {WEIGHTS})": (over_each(geometric, p3), False, True),
    f"G(nDCG@3, {WEIGHTS})": (over_each(geometric, ndcg3), True, False),
    f"Hmeans(P@3, {WEIGHTS})": (over_each(hmean, p3), False, True),
    f"nWCS(P@3, {WEIGHTS})": (plain(nwcs, p3), False, True),
    f"nWCS(RBP(p=0.7, gain=graded), {WEIGHTS})": (plain(nwcs, rbp7), True, False),
    f"nWCS(nDCG, {WEIGHTS})": (plain(nwcs, ndcg), True, False),
    f"nWCS(nDCG@3, {WEIGHTS})": (plain(nwcs, ndcg3), True, False),
    f"nWCS(AP, {WEIGHTS})": (plain(nwcs, average_precision), False, True),
    f"TOMA(P@3, {WEIGHTS})": (plain(toma, p3), False, True),
    f"TOMA(RBP(p=0.7, gain=graded), {WEIGHTS})": (plain(toma, rbp7), True, False),
    f"TOMA(nDCG@3, {WEIGHTS})": (plain(toma, ndcg3), True, False),
    f"Helpful(P@3, {WEIGHTS})": (plain(helps, p3), False, True),
    f"Helpful(nDCG@3, {WEIGHTS})": (plain(helps, ndcg3), True, False),
    f"Harmful(P@3, {WEIGHTS})": (plain(harms, p3), False, True),
    f"Harmful(RBP(p=0.7, gain=graded), {WEIGHTS})": (plain(harms, rbp7), True, False),
    f"Harmful(nDCG@3, {WEIGHTS})": (plain(harms, ndcg3), True, False),
    f"Harmful(AP, {WEIGHTS})": (plain(harms, average_precision), False, True),
    # over P each unjudged document helps or harms on its own, so the ends are reached
    f"HelpHarm(P@3, {WEIGHTS})": (
        lambda listed, every: plain(helps, p3)(listed, every) - plain(harms, p3)(listed, every),
        False,
        True,
    ),
    f"HelpHarm(P(gain=graded)@3, {WEIGHTS})": (
        lambda listed, every: plain(helps, p3)(listed, every) - plain(harms, p3)(listed, every),
        True,
        False,
    ),
    f"HelpHarm(nDCG@3, {WEIGHTS})": (
        lambda listed, every: (
            plain(helps, ndcg3)(listed, every) - plain(harms, ndcg3)(listed, every)
        ),
        True,
        False,
    ),
}
GRADES = {0: 0.0, 1: 0.4, 3: 1.0}


@pytest.mark.parametrize("measure", ENDS)
@pytest.mark.parametrize("key", ["topic", "document"])
def test_ends_hold_for_every_label(tmp_path: Path, measure: str, key: str) -> None:
    """Documents of the list are judged in both dimensions, one of them, or none.

    Others are judged in both or in none, since what nobody retrieved stays as it is. Labels of
    one dimension may also belong to the document in every topic.
    """
    function, graded, exact = ENDS[measure]
    lists, pool = random_lists(13, 12)
    topical = random_labels(14, lists, pool, [0, 1], 0.3)
    easy = random_labels(15, lists, pool, [0, 1, 3], 0.3)
    if key == "document":  # one topic, else a label would speak of other lists too
        lists = dict(list(lists.items())[:1])
    for topic, ranking in lists.items():
        for document in [*pool, "sure"]:
            inside = document in ranking
            if not inside and not (document in topical[topic] and document in easy[topic]):
                topical[topic].pop(document, None)
                easy[topic].pop(document, None)
    kept = {t: {**topical[t], "never": 0} for t in lists}
    easy = {t: {**easy[t], "never": 0} for t in lists}
    data = build(
        tmp_path,
        {"r": lists},
        {T: Judged(kept, BINARY), U: Judged(easy, MAP, key=key)},
    )
    scores, wide = score(measure, data), 0
    for row, topic in enumerate(data.topics):
        ranking = lists[topic]

        def value(t: dict, u: dict, ranking: dict = ranking) -> float:
            def pair(document: str) -> Pair:
                label = u.get(document)
                if label is None:
                    return float(t.get(document, 0)), math.nan
                return float(t.get(document, 0)), GRADES[label] if graded else float(label >= 2)

            def known(pair: Pair) -> Pair:  # unjudged: no gain, and no harm either
                if math.isnan(pair[1]):
                    return pair[0], float(measure.startswith("Harmful"))
                return pair

            listed, every = [pair(d) for d in ranking], [pair(d) for d in {*t, *u}]
            if measure.startswith("HelpHarm"):  # half known documents neither help nor harm
                listed, every = (
                    [p if not math.isnan(p[1]) else (0.0, 0.0) for p in pairs]
                    for pairs in (listed, every)
                )
            return float(function([known(p) for p in listed], [known(p) for p in every]))

        values = [
            value(t, u)
            for t in completions(kept[topic], ranking, [0, 1])
            for u in completions(easy[topic], ranking, [0, 1, 3] if graded else [0, 3])
        ]
        assert scores.value[row] == pytest.approx(value(kept[topic], easy[topic]), abs=1e-12)
        lower, upper = scores.lower[row], scores.upper[row]
        assert lower <= min(values) + 1e-12
        assert max(values) <= upper + 1e-12
        assert lower <= scores.value[row] + 1e-12 <= upper + 2e-12
        assert -1 - 1e-12 <= lower <= upper <= 1 + 1e-12
        if exact:
            assert (lower, upper) == pytest.approx((min(values), max(values)), abs=1e-12)
        wide += max(values) > min(values)
    assert wide > (5 if key == "topic" else 0) or key == "document"


def test_help_minus_harm_by_hand(tmp_path: Path) -> None:
    """One document on topic of which nobody said how good it is: it may help or harm."""
    data = build(
        tmp_path,
        {"r": {"1": ranked("a b")}},
        {T: Judged({"1": {"a": 1, "b": 1}}), U: Judged({"1": {"b": 0}})},
    )
    scores = score(f"HelpHarm(P@2, {EQUAL})", data)
    ends = (scores.lower[0], scores.value[0], scores.upper[0])
    assert ends == (-1.0, -0.5, 0.0)


def test_help_minus_harm_under_ties(tmp_path: Path) -> None:
    """The best order puts the helpful first and the harmful last, the worst the other way."""
    runs = {"r": run_text({"1": {"good": 1.0, "bad": 1.0, "other": 1.0}})}
    judged = {
        T: Judged({"1": {"good": 1, "bad": 1, "other": 0}}),
        U: Judged({"1": {"good": 1, "bad": 0, "other": 0}}),
    }
    small = campaign(tmp_path, runs, judged)

    from pipeline.gains.files import read

    write_ties(small.rankings, topics=["1"], order="score", out=tmp_path / "t.npz")
    data = read(small.gains, scores=tmp_path / "t.npz")
    measure = parse(f"HelpHarm(P@1, {EQUAL})", dimensions=[T, U])
    tied = under_ties(measure, data, measure.value(data))
    assert (tied.worst[0], tied.best[0]) == (-1.0, 1.0)
    assert tied.worst[0] <= tied.expected[0] <= tied.best[0]


# ---- H of the means -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_topics(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """P@1 topical 1 and 1, understandable 1 and 0; in topic 2 the document is not judged."""
    folder = tmp_path_factory.mktemp("two")
    small = campaign(
        folder,
        {"r": run_text({"1": ranked("a"), "2": ranked("b")})},
        {T: Judged({"1": {"a": 1}, "2": {"b": 1}}), U: Judged({"1": {"a": 1}, "2": {"c": 0}})},
    )
    return small.gains


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "H": (0.5, 0.5, 1.0),  # the mean of 1 and 0; at best of 1 and 1
        "Hmeans": (2 / (1 / 1 + 1 / 0.5), 2 / (1 / 1 + 1 / 0.5), 1.0),  # of the means 1 and 1/2
    }.items(),
)
def test_over_topics(
    two_topics: dict[str, Path], tmp_path: Path, name: str, expected: tuple[float, ...]
) -> None:
    from pipeline.storage import arrow

    evaluate(
        f"{name}(P@1, {EQUAL})", dimensions=[T, U], gains=two_topics, scores=None,
        unjudged="zero", ties="ignore", out=tmp_path / "s", overall=tmp_path / "o",
    )  # fmt: skip
    scores, overall = arrow.read(tmp_path / "s"), arrow.read(tmp_path / "o")
    assert arrow.array(scores["value"]).tolist() == [1.0, 0.0]
    ends = [arrow.array(overall[end])[0] for end in ("value", "lower", "upper")]
    assert ends == pytest.approx(expected, rel=1e-12)


def test_an_estimate_by_document_alone_counts_in_every_topic(tmp_path: Path) -> None:
    """The ideal of nWCS holds easy documents nobody judged on topic: else it could exceed 1."""
    data = build(
        tmp_path,
        {"r": {"1": ranked("easy off"), "2": ranked("hard easy")}},
        {
            T: Judged({"1": {"off": 0}, "2": {"hard": 1}}),
            U: Judged({"1": {"easy": 1, "hard": 0}}, Scale(0, 1, "high", 1, None, ()), "document"),
        },
    )
    value = score(f"nWCS(nDCG, {EQUAL})", data).value
    assert np.all(value <= 1)
    assert value[0] == pytest.approx(1.0)
