"""Measures: worked by hand, against trec_eval's code, and bounds against every possible label."""

import math
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from pipeline.config.scale import Scale
from pipeline.gains.gains import Gains
from tests.builders import BINARY, GRADED, Judged, build, by_place, ranked, score

MAP = Scale(0, 3, "high", 2, {0.0: 0.0, 1.0: 0.4, 2.0: 0.8, 3.0: 1.0}, ())


# ---- each measure once more, for one list of gains, as its paper says it --------------------


def rbp(gains: list[float], p: float) -> float:
    return (1 - p) * sum(p**k * g for k, g in enumerate(gains))


def precision(gains: list[float], k: int) -> float:
    return sum(gains[:k]) / k


def average_precision(gains: list[float], judged: list[float], k: int | None = None) -> float:
    found, total = 0, 0.0
    for rank, gain in enumerate(gains[:k], 1):
        if gain > 0:
            found += 1
            total += found / rank
    relevant = sum(gain > 0 for gain in judged)
    return total / relevant if relevant else 0.0


def reciprocal_rank(gains: list[float], k: int | None = None) -> float:
    return next((1 / rank for rank, gain in enumerate(gains[:k], 1) if gain > 0), 0.0)


def dcg(gains: list[float], k: int | None) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def ndcg(gains: list[float], judged: list[float], k: int | None = None) -> float:
    ideal = dcg(sorted(judged, reverse=True), k)
    return dcg(gains, k) / ideal if ideal else 0.0


def harmonic(*weighted: tuple[float, float]) -> float:
    if any(value == 0 for _, value in weighted):
        return 0.0
    return sum(w for w, _ in weighted) / sum(w / value for w, value in weighted)


# ---- worked by hand -------------------------------------------------------------------------

# The list is a b c d e; f is judged but not retrieved, e is not judged at all.
#   topicality (0-2, relevant from 1):           a 1, b 0, c 2, d 1, f 2
#   understandability (0-3, relevant from 2):    a 3, b 3, c 1, d 2
# binary products: a 1, c 0, d 1; graded (gains 0 .4 .8 1): a 1, c .4, d .8
BY_HAND = {
    "RBP(p=0.5)": 0.5 + 0.125 + 0.0625,
    "RBP(p=0.8)": 0.2 * (1 + 0.64 + 0.512),
    "RBP(p=0.5)@3": 0.5 + 0.125,
    "RBP(p=0.5, on=understandability)": 0.5 + 0.25 + 0.0625,
    "uRBP(p=0.5)": 0.5 + 0.0625,
    "uRBPgr(p=0.5)": 0.5 + 0.125 * 0.4 + 0.0625 * 0.8,
    "uRBPgr(p=0.8)": 0.2 * (1 + 0.64 * 0.4 + 0.512 * 0.8),
    "P@1": 1.0,
    "P@2": 0.5,
    "P@5": 0.6,
    "P@10": 0.3,
    "uP@5": 0.4,
    "P(on=understandability)@4": 0.75,
    "AP": (1 / 1 + 2 / 3 + 3 / 4) / 4,
    "AP@3": (1 / 1 + 2 / 3) / 4,
    "uAP": (1 / 1 + 2 / 4) / 2,
    "RR": 1.0,
    "RR(on=understandability)": 1.0,
    # DCG@3 = .5/1 + 0 + 1/2 = 1; ideal 1, 1, .5: 1 + 1/log2(3) + .5/2
    "nDCG@3": 1 / (1 + 1 / math.log2(3) + 0.25),
    # DCG@2 = .5; ideal 1 + 1/log2(3)
    "nDCG@2": 0.5 / (1 + 1 / math.log2(3)),
    "nDCG": (0.5 + 0.5 + 0.5 / math.log2(5))
    / (1 + 1 / math.log2(3) + 0.5 / 2 + 0.5 / math.log2(5)),
    # .6875 topical, .8125 understandable
    "H(RBP(p=0.5), topicality=1, understandability=1)": 2 / (1 / 0.6875 + 1 / 0.8125),
    "H(RBP(p=0.5), topicality=3, understandability=1)": 4 / (3 / 0.6875 + 1 / 0.8125),
    "H(P@5, topicality=1, understandability=1)": 0.6,
}


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Gains:
    topical = {"a": 1, "b": 0, "c": 2, "d": 1, "f": 2}
    return build(
        tmp_path_factory.mktemp("hand"),
        {"r": {"1": ranked("a b c d e"), "3": ranked("x y")}},
        {
            "topicality": Judged({"1": topical, "2": {"a": 1}, "3": {"x": 0}}, GRADED),
            "understandability": Judged({"1": {"a": 3, "b": 3, "c": 1, "d": 2}}, MAP),
        },
    )


@pytest.mark.parametrize(("measure", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_by_hand(hand: Gains, measure: str, expected: float) -> None:
    value = score(measure, hand).value
    assert value[0] == pytest.approx(expected, rel=1e-12)
    assert value[1] == 0  # topic 2 was not answered
    assert value[2] == 0  # topic 3 has no relevant document


@pytest.mark.parametrize("measure", BY_HAND)
def test_an_unanswered_topic_scores_its_due_with_no_doubt(hand: Gains, measure: str) -> None:
    scores = score(measure, hand)
    assert (scores.value[1], scores.lower[1], scores.upper[1]) == (0, 0, 0)


def test_references_agree_with_the_examples() -> None:
    topical, graded, judged = [1, 0, 1, 1, 0], [0.5, 0, 1, 0.5, 0], [0.5, 0, 1, 0.5, 1]
    assert rbp(topical, 0.5) == pytest.approx(BY_HAND["RBP(p=0.5)"])
    assert precision(topical, 10) == pytest.approx(BY_HAND["P@10"])
    assert average_precision(topical, judged, 3) == pytest.approx(BY_HAND["AP@3"])
    assert reciprocal_rank([0, 0, 1], None) == pytest.approx(1 / 3)
    assert ndcg(graded, judged) == pytest.approx(BY_HAND["nDCG"])
    assert harmonic((3, 0.6875), (1, 0.8125)) == pytest.approx(4 / (3 / 0.6875 + 1 / 0.8125))


# ---- against trec_eval's code ---------------------------------------------------------------

TREC_EVAL = {
    "P@5": "P_5",
    "P@10": "P_10",
    "AP": "map",
    "AP@10": "map_cut_10",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
    "nDCG@100": "ndcg_cut_100",
}


def random_campaign(seed: int) -> tuple[dict, dict]:
    """Runs with ties, short lists and missing topics; qrels with holes and barren topics."""
    chance = random.Random(seed)
    topics = [f"q{n}" for n in range(12)]
    documents = [f"d{n}" for n in range(60)]
    runs = {
        f"run{n}": {
            topic: {
                document: chance.choice([chance.random(), float(chance.randrange(4))])
                for document in chance.sample(documents, chance.randrange(1, 50))
            }
            for topic in topics
            if chance.random() < 0.85
        }
        for n in range(4)
    }
    qrels = {
        topic: {
            document: chance.choice([0] if topic in ("q0", "q1") else [0, 0, 1, 2, 3])
            for document in chance.sample(documents, chance.randrange(5, 40))
        }
        for topic in topics
    }
    for run in runs.values():
        run.setdefault("q2", {"d0": 1.0})
        run["unknown"] = {"d1": 1.0}
    return runs, qrels


@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_as_trec_eval(tmp_path: Path, seed: int, level: int, unjudged: str) -> None:
    runs, qrels = random_campaign(seed)
    scale = Scale(0, 3, "high", level, None, ())
    data = build(tmp_path, runs, {"topicality": Judged(qrels, scale)}, unjudged=unjudged)
    ours = {m: by_place(data, score(m, data).value) for m in TREC_EVAL}
    names = set(TREC_EVAL.values())
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level)
    compared = 0
    for run, lists in runs.items():
        if unjudged == "condensed":
            lists = {
                topic: {d: s for d, s in scores.items() if d in qrels.get(topic, {})}
                for topic, scores in lists.items()
            }
        theirs = evaluator.evaluate(lists)
        for measure, name in TREC_EVAL.items():
            for topic in qrels:
                expected = theirs[topic][name] if topic in theirs else 0.0
                assert ours[measure][run, topic] == pytest.approx(expected, abs=1e-12)
                compared += topic in theirs
    assert compared > 300


# ---- bounds against every possible label ----------------------------------------------------


def random_lists(seed: int, topics: int) -> tuple[dict, list[str]]:
    """Per topic a ranking of up to seven of ten documents."""
    chance = random.Random(seed)
    pool = [f"d{n}" for n in range(10)]
    return {
        f"q{n}": ranked(" ".join(chance.sample(pool, chance.randrange(1, 8))))
        for n in range(topics)
    }, pool


def random_labels(
    seed: int, lists: dict, pool: list[str], grades: list[int], doubt: float
) -> dict[str, dict[str, int]]:
    """Every document labelled but some of those in the list."""
    chance = random.Random(seed)
    return {
        topic: {
            document: chance.choice(grades)
            for document in pool
            if (document in ranking and chance.random() > doubt)
            or (document not in ranking and chance.random() < 0.2)
        }
        | {"sure": chance.choice(grades)}
        for topic, ranking in lists.items()
    }


def completions(
    labels: dict[str, int], ranking: dict, grades: list[int]
) -> Iterator[dict[str, int]]:
    """The labels with every possible label of the list's unjudged documents."""
    unjudged = [document for document in ranking if document not in labels]
    for chosen in product(grades, repeat=len(unjudged)):
        yield {**labels, **dict(zip(unjudged, chosen, strict=True))}


SINGLE: dict[str, tuple[Callable[[list, list], float], bool]] = {
    # measure: its value from the gains of the list and of all documents; are its bounds exact?
    "RBP(p=0.7)": (lambda g, _: rbp(g, 0.7), False),
    "P@3": (lambda g, _: precision(g, 3), True),
    "P@9": (lambda g, _: precision(g, 9), True),
    "AP": (lambda g, every: average_precision(g, every), True),
    "AP@3": (lambda g, every: average_precision(g, every, 3), True),
    "RR": (lambda g, _: reciprocal_rank(g), True),
    "RR@2": (lambda g, _: reciprocal_rank(g, 2), True),
    "nDCG": (ndcg, False),
    "nDCG@3": (lambda g, every: ndcg(g, every, 3), False),
}


def check_ends(
    scores: object, row: int, value: float, least: float, most: float, exact: bool
) -> None:
    lower, upper = scores.lower[row], scores.upper[row]
    assert scores.value[row] == pytest.approx(value, abs=1e-12)
    assert lower <= least + 1e-12
    assert most <= upper + 1e-12
    assert lower >= 0
    assert upper <= 1 + 1e-12
    if exact:
        assert (lower, upper) == pytest.approx((least, most), abs=1e-12)


@pytest.mark.parametrize("measure", SINGLE)
@pytest.mark.parametrize("grades", [[0, 1], [0, 1, 2]])
def test_bounds_hold_for_every_label(tmp_path: Path, measure: str, grades: list[int]) -> None:
    function, exact = SINGLE[measure]
    graded = measure.startswith("nDCG")
    lists, pool = random_lists(1, 60)
    labels = random_labels(2, lists, pool, grades, 0.45)
    scale = GRADED if len(grades) == 3 else BINARY
    data = build(tmp_path, {"r": lists}, {"t": Judged(labels, scale)})
    scores, wide = score(measure, data), 0
    for row, topic in enumerate(data.topics):
        ranking, known = lists[topic], labels[topic]

        def gain(label: int) -> float:
            return label / grades[-1] if graded else float(label >= 1)

        def value(all_: dict[str, int], ranking: dict = ranking) -> float:
            listed = [gain(all_.get(document, 0)) for document in ranking]
            return function(listed, [gain(label) for label in all_.values()])

        values = [value(every) for every in completions(known, ranking, grades)]
        check_ends(scores, row, value(known), min(values), max(values), exact)
        wide += max(values) > min(values)
        if measure.startswith("RBP"):  # all but exact: the tail may hold anything
            assert scores.lower[row] == pytest.approx(min(values), abs=1e-12)
            assert scores.upper[row] == pytest.approx(max(values) + 0.7 ** len(ranking), abs=1e-12)
        if len(values) == 1 and not measure.startswith("RBP"):
            assert scores.lower[row] == scores.value[row] == scores.upper[row]
    assert wide > 20


def product_gain(topical: int | None, easy: int | None, graded: bool) -> float:
    second = {0: 0.0, 1: 0.4, 2: 0.8, 3: 1.0}[easy or 0] if graded else float((easy or 0) >= 2)
    return float((topical or 0) >= 1) * second


PAIRS: dict[str, tuple[Callable[[list, list, list, list], float], bool, bool]] = {
    # measure: value from (product in the list, in all; topical and easy, in the list);
    # graded products? exact bounds?
    "uRBP(p=0.7)": (lambda g, every, t, u: rbp(g, 0.7), False, False),
    "uRBPgr(p=0.7)": (lambda g, every, t, u: rbp(g, 0.7), True, False),
    "uP@3": (lambda g, every, t, u: precision(g, 3), False, True),
    "uAP": (lambda g, every, t, u: average_precision(g, every), False, True),
    "uAP@3": (lambda g, every, t, u: average_precision(g, every, 3), False, True),
    "uRR": (lambda g, every, t, u: reciprocal_rank(g), False, True),
    "unDCG@3": (lambda g, every, t, u: ndcg(g, every, 3), False, False),
    "unDCGgr": (lambda g, every, t, u: ndcg(g, every), True, False),
    "H(RBP(p=0.7), topicality=2, understandability=1)": (
        lambda g, every, t, u: harmonic((2, rbp(t, 0.7)), (1, rbp(u, 0.7))),
        False,
        False,
    ),
    "H(P@3, topicality=1, understandability=1)": (
        lambda g, every, t, u: harmonic((1, precision(t, 3)), (1, precision(u, 3))),
        False,
        True,
    ),
}


@pytest.mark.parametrize("measure", PAIRS)
def test_bounds_hold_when_one_dimension_is_judged(tmp_path: Path, measure: str) -> None:
    function, graded, exact = PAIRS[measure]
    lists, pool = random_lists(3, 40)
    topical = random_labels(4, lists, pool, [0, 1], 0.3)
    easy = random_labels(5, lists, pool, [0, 1, 3], 0.3)
    # documents outside the list: judged in both dimensions or in none
    for topic, ranking in lists.items():
        for document in [*pool, "sure"]:
            if document not in ranking and not (
                document in topical[topic] and document in easy[topic]
            ):
                topical[topic].pop(document, None)
                easy[topic].pop(document, None)
    for labels in (topical, easy):
        for topic in lists:
            labels[topic].setdefault("never", 0)
    data = build(
        tmp_path,
        {"r": lists},
        {"topicality": Judged(topical, BINARY), "understandability": Judged(easy, MAP)},
    )
    scores, wide = score(measure, data), 0
    for row, topic in enumerate(data.topics):
        ranking = lists[topic]

        def value(t: dict[str, int], u: dict[str, int], ranking: dict = ranking) -> float:
            listed = [product_gain(t.get(d), u.get(d), graded) for d in ranking]
            every = [product_gain(t.get(d), u.get(d), graded) for d in {*t, *u}]
            first = [float(t.get(d, 0) >= 1) for d in ranking]
            second = [float(u.get(d, 0) >= 2) for d in ranking]
            return function(listed, every, first, second)

        values = [
            value(t, u)
            for t in completions(topical[topic], ranking, [0, 1])
            for u in completions(easy[topic], ranking, [0, 3])
        ]
        check_ends(scores, row, value(topical[topic], easy[topic]), min(values), max(values), exact)
        wide += max(values) > min(values)
    assert wide > 15


def test_bounds_do_not_lie_beyond_the_value(tmp_path: Path) -> None:
    """On larger lists, where nobody can try every label."""
    runs, qrels = random_campaign(99)
    easy = {topic: {d: (v * 7) % 4 for d, v in labels.items() if v != 2} | {"d3": 1}
            for topic, labels in qrels.items()}  # fmt: skip
    data = build(
        tmp_path,
        runs,
        {
            "topicality": Judged(qrels, Scale(0, 3, "high", 1, None, ())),
            "understandability": Judged(easy, MAP),
        },
    )
    for measure in [*TREC_EVAL, *PAIRS, "RBP(p=0.95)"]:
        scores = score(measure, data)
        assert (scores.lower <= scores.value + 1e-12).all(), measure
        assert (scores.value <= scores.upper + 1e-12).all(), measure
        assert np.isfinite([scores.lower, scores.value, scores.upper]).all()


def test_the_residual_of_rbp_is_that_of_its_paper(tmp_path: Path) -> None:
    """Moffat & Zobel: the weights of the unjudged ranks, and of all ranks behind the list."""
    data = build(tmp_path, {"r": {"1": ranked("a b c")}}, {"t": Judged({"1": {"a": 1, "c": 0}})})
    scores = score("RBP(p=0.5)", data)
    assert scores.value.tolist() == scores.lower.tolist() == [0.5]
    assert scores.upper.tolist() == [0.5 + 0.25 + 0.125]


def test_the_bounds_of_ndcg_by_hand(tmp_path: Path) -> None:
    """a gains .5, x is unjudged: at worst x gains nothing here but leads the ideal ranking."""
    data = build(tmp_path, {"r": {"1": ranked("a x")}}, {"t": Judged({"1": {"a": 1}}, GRADED)})
    scores = score("nDCG", data)
    assert scores.value.tolist() == scores.upper.tolist() == [1]
    assert scores.lower[0] == pytest.approx(0.5 / (1 + 0.5 / math.log2(3)), rel=1e-12)
    assert score("nDCG@1", data).lower.tolist() == [0.5]


def test_a_run_that_answers_nothing(tmp_path: Path) -> None:
    judged = {"topicality": Judged({"1": {"a": 1}}), "understandability": Judged({"1": {"a": 1}})}
    data = build(tmp_path, {"r": {"other": ranked("a")}}, judged)
    for measure in BY_HAND:
        scores = score(measure, data)
        assert scores.value.tolist() == scores.lower.tolist() == scores.upper.tolist() == [0.0]


def test_condensed_lists_have_no_doubt_but_behind_their_end(tmp_path: Path) -> None:
    judged = {"t": Judged({"1": {"a": 1, "c": 0, "e": 1}})}
    runs = {"r": {"1": ranked("x a y c e z")}, "s": {"1": ranked("x y")}}
    data = build(tmp_path, runs, judged, unjudged="condensed")
    rbp_scores = score("RBP(p=0.5)", data)
    assert rbp_scores.value.tolist() == rbp_scores.lower.tolist() == [0.5 + 0.125, 0]
    assert rbp_scores.upper[0] == 0.5 + 0.125 + 0.125
    ap = score("AP", data)
    assert ap.value.tolist() == ap.lower.tolist() == ap.upper.tolist() == [(1 + 2 / 3) / 2, 0]
