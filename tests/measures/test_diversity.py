"""Measures of diversity: worked by hand, against a plain rewriting, and what must always hold."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.measures import Measure, parse
from pipeline.measures.ties import under_ties
from tests import small
from tests.diverse import Case, Document, gains_of

TRIES = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
S = 3
MEASURES = [
    "alpha_DCG@3", "alpha_nDCG", "alpha_nDCG@2", "alpha_nDCG(alpha=1)@3", "ERR_IA@3", "nERR_IA@4",
    "NRBP", "nNRBP", "nNRBP(alpha=0.9, beta=0.8)", "IA(AP)", "IA(P@3)", "IA(nDCG@3)", "IA(RBP)",
    "StRecall@2", "Richness", "Evenness", "Evenness@2", "StPrec", "StPrec(recall=0.5)", "D(nDCG@3)",
    "D(RBP(gain=graded))", "Dsharp(nDCG@3)", "Dsharp(nDCG, gamma=0.2)",
]  # fmt: skip
each = pytest.mark.parametrize("text", MEASURES)
documents = st.tuples(*[st.integers(0, 1)] * S)
lists = st.lists(st.one_of(st.none(), documents), max_size=5).map(tuple)
others = st.lists(documents, max_size=4).map(tuple)
cases = st.builds(Case, lists, others)


def measure(text: str) -> Measure:
    return parse(text, dimensions=["topicality"])


def value(text: str, *some: Case, subtopics: int = S, **more: object) -> list[float]:
    found: list[float] = (
        measure(text).value(gains_of(some, subtopics=subtopics, **more)).tolist()  # type: ignore[arg-type]
    )
    return found


# ---- worked by hand --------------------------------------------------------------------------

# Subtopics a, b, c; the list is ab, none, a, unjudged, and c was judged as well: N is 3.
HAND = Case(((1, 1, 0), (0, 0, 0), (1, 0, 0), None), ((0, 0, 1),))
LOG3 = math.log2(3)
IDEAL = 2 + 1 / LOG3 + 0.5 / 2  # ab, then c, then a a second time
BY_HAND = {
    "StRecall@1": 2 / 3,
    "Richness": 2 / 3,
    "Evenness": (9 / 5) / 2,  # a twice, b once: p = 2/3, 1/3; 1 / (4/9 + 1/9) over R = 2
    "IA(P@4)": (2 / 4 + 1 / 4) / 3,
    "MAP-IA": ((1 + 2 / 3) / 2 + 1) / 3,
    "alpha-DCG@3": (2 + 0.5 / 2) / (3 * (1 + 0.5 / LOG3 + 0.25 / 2)),
    "alpha-nDCG@3": (2 + 0.5 / 2) / IDEAL,
    "ERR-IA@3": (2 + 0.5 / 3) / (3 * (1 + 0.5 / 2 + 0.25 / 3)),
    "nERR-IA@3": (2 + 0.5 / 3) / (2 + 1 / 2 + 0.5 / 3),
    "NRBP": 0.75 * (2 + 0.25 * 0.5) / 3,
    "nNRBP": (2 + 0.25 * 0.5) / (2 + 0.5 + 0.25 * 0.5),
    "StPrec(recall=0.5)": 1.0,  # two subtopics at rank 1, as the best list
    "StPrec": 0.0,  # c is never found
    "D-nDCG@2": (2 / 3) / (2 / 3 + 1 / 3 / LOG3),
    "D#-nDCG@2": 0.5 * (2 / 3) / (2 / 3 + 1 / 3 / LOG3) + 0.5 * 2 / 3,
}


@pytest.mark.parametrize("text", BY_HAND)
def test_by_hand(text: str) -> None:
    assert value(text, HAND) == pytest.approx([BY_HAND[text]], abs=1e-12)


def test_weights_of_subtopics() -> None:
    weights = (0.5, 0.2, 0.3)
    found = {text: value(text, HAND, chances=weights)[0] for text in BY_HAND}
    assert found["IA(P@4)"] == pytest.approx(0.5 * 2 / 4 + 0.2 / 4)
    assert found["MAP-IA"] == pytest.approx(0.5 * (1 + 2 / 3) / 2 + 0.2)
    assert found["NRBP"] == pytest.approx(0.75 * (0.7 + 0.25 * 0.5 * 0.5))
    # At rank 2 c (0.3) still adds more than a a second time (0.25).
    assert found["alpha-nDCG@3"] == pytest.approx((0.7 + 0.25 / 2) / (0.7 + 0.3 / LOG3 + 0.25 / 2))
    assert found["D-nDCG@2"] == pytest.approx(0.7 / (0.7 + 0.5 / LOG3))
    assert found["Richness"] == pytest.approx(2 / 3)  # how many, not how probable
    assert found["StPrec(recall=0.5)"] == 1.0
    whole = Case(((0, 0, 1), *HAND.found[:3]))
    assert value("StPrec", whole, chances=weights) == value("StPrec", whole) == [1.0]
    # A subtopic that nobody found anything for is asked for all the same.
    unmet = value("StRecall@3", Case(((1, 0, 0),)), chances=weights)
    assert unmet == pytest.approx([1 / 3])


# ---- the same once more, as plain Python -----------------------------------------------------


def known(case: Case) -> list[int]:
    return [s for s in range(S) if any(one[s] for one in case.judged)]


def added(ranked: list[Document | None], alpha: float, asked: list[int]) -> list[float]:
    seen = [0] * S
    steps = []
    for one in ranked:
        steps.append(sum(one[s] * (1 - alpha) ** seen[s] for s in asked) if one else 0.0)
        seen = [n + (one[s] if one else 0) for s, n in enumerate(seen)]
    return steps


def greedy(case: Case, alpha: float) -> list[Document | None]:
    left = [(f"d{n:02}", one) for n, one in enumerate(case.judged) if any(one)]
    made: list[Document | None] = []
    while left:
        best = max(left, key=lambda one: (added([*made, one[1]], alpha, known(case))[-1], one[0]))
        made.append(best[1])
        left.remove(best)
    return made


def ratio(case: Case, discount: Callable[[int], float], alpha: float, k: int | None) -> float:
    def total(ranked: list[Document | None]) -> float:
        steps = added(ranked[:k], alpha, known(case))
        return sum(discount(rank) * step for rank, step in enumerate(steps, 1))

    ideal = total(greedy(case, alpha))
    return total(list(case.found)) / ideal if ideal else 0.0


REFERENCE: dict[str, Callable[[Case], float]] = {
    "alpha_nDCG": lambda c: ratio(c, lambda k: 1 / math.log2(k + 1), 0.5, None),
    "alpha_nDCG(alpha=0.3)@3": lambda c: ratio(c, lambda k: 1 / math.log2(k + 1), 0.3, 3),
    "nERR_IA@4": lambda c: ratio(c, lambda k: 1 / k, 0.5, 4),
    "nNRBP(alpha=0.25, beta=0.5)": lambda c: ratio(c, lambda k: 0.5**k, 0.25, None),
}


@pytest.mark.parametrize("text", REFERENCE)
@TRIES
@given(some=st.lists(cases, min_size=1, max_size=6))
def test_against_plain_python(text: str, some: list[Case]) -> None:
    expected = [REFERENCE[text](case) for case in some]
    assert value(text, *some) == pytest.approx(expected, abs=1e-12)


# ---- what must always hold -------------------------------------------------------------------


@each
@TRIES
@given(some=st.lists(cases, min_size=1, max_size=5))
def test_range_and_order_of_bounds(text: str, some: list[Case]) -> None:
    scores = measure(text).scores(gains_of(some, subtopics=S))
    # The greedy list has at least 1 - 1/e of the best one's worth.
    most = math.e / (math.e - 1) if text[:2] in ("al", "nE", "nN") else 1.0
    assert (scores.value >= 0).all()
    assert (scores.value <= most + 1e-9).all()
    assert (scores.lower <= scores.value + 1e-9).all()
    assert (scores.value <= scores.upper + 1e-9).all()


@each
@TRIES
@given(some=st.lists(cases, min_size=2, max_size=4))
def test_other_lists_do_not_matter(text: str, some: list[Case]) -> None:
    one, gains = measure(text), gains_of(some, subtopics=S)
    together = one.scores(gains)
    for row in range(len(some)):
        alone = one.scores(gains_of([some[row]], subtopics=S))
        for end in ("value", "lower", "upper"):
            assert getattr(alone, end)[0] == pytest.approx(getattr(together, end)[row], abs=1e-9)


def completions(case: Case) -> Iterator[Case]:
    """Every label of the unjudged documents, of the subtopics there are."""
    possible = [one for one in product((0, 1), repeat=S) if not any(
        one[s] for s in range(S) if s not in known(case))]  # fmt: skip
    open_ = [rank for rank, one in enumerate(case.found) if one is None]
    for chosen in product(possible, repeat=len(open_)):
        full = dict(zip(open_, chosen, strict=True))
        yield replace(case, found=tuple(full.get(r, one) for r, one in enumerate(case.found)))


@each
@TRIES
@given(case=cases)
def test_bounds_hold_for_every_label(text: str, case: Case) -> None:
    if case.found.count(None) > 2:
        return
    one = measure(text)
    scores = one.scores(gains_of([case], subtopics=S, depth=5))
    values = one.value(gains_of([*completions(case)], subtopics=S, depth=5))
    assert scores.lower[0] <= values.min() + 1e-9
    assert values.max() <= scores.upper[0] + 1e-9


@st.composite
def tied_cases(draw: st.DrawFn) -> Case:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    groups = tuple(number for number, size in enumerate(sizes) for _ in range(size))
    found = draw(st.lists(documents, min_size=len(groups), max_size=len(groups)).map(tuple))
    return Case(found, draw(others), groups)


@each
@TRIES
@given(case=tied_cases())
def test_ties_against_every_order(text: str, case: Case) -> None:
    one, gains = measure(text), gains_of([case], subtopics=S)
    ties = under_ties(one, gains, one.value(gains))
    members = [[d for d, g in zip(case.found, case.groups, strict=True) if g == number]
               for number in sorted(set(case.groups))]  # fmt: skip
    orders = [
        replace(case, found=tuple(d for group in chosen for d in group))
        for chosen in product(*(permutations(group) for group in members))
    ]
    # Ideals go by document id, so judged documents keep their ids: only the list is reordered.
    values = np.array([
        one.value(replace_order(gains, case, order))[0] for order in orders
    ])  # fmt: skip
    if "StPrec" in text or "Evenness" in text:
        assert np.isnan(ties.expected[0]) or np.ptp(values) == 0
    else:
        assert ties.expected[0] == pytest.approx(values.mean(), abs=1e-9)
    if not np.isnan(ties.worst[0]):
        ends = pytest.approx((values.min(), values.max()), abs=1e-9)
        assert (ties.worst[0], ties.best[0]) == ends


def replace_order(gains, case: Case, order: Case):  # type: ignore[no-untyped-def]
    """The same gains with the documents of the list in another order."""
    place: list[int] = []
    for one in order.found:
        place.append(next(i for i, d in enumerate(case.found) if d == one and i not in place))
    rest = range(len(place), next(iter(gains.dimensions.values())).codes.shape[1])
    return gains.reordered(np.array([[*place, *rest]]), tied=True)


@TRIES
@given(case=cases)
def test_alpha_0_is_the_plain_measure_summed_over_subtopics(case: Case) -> None:
    n = max(1, len(known(case)))
    full = sum(1 / math.log2(k + 1) for k in range(1, 4))
    (found,) = value("alpha_DCG(alpha=0)@3", case)
    plain = sum(
        small.gains_of([small.Case(tuple(one and one[s] for one in case.found))])
        .view({"topicality": "binary"})
        .at(3)
        .gain[0]
        @ (1 / np.log2(np.arange(2, 2 + min(3, max(1, len(case.found))))))
        for s in range(S)
    )
    assert found * n * full == pytest.approx(plain, abs=1e-12)


PLAIN = {  # of one subtopic: ours, the plain measure, and the factor between them
    "alpha_nDCG(alpha=0)@3": ("nDCG(gain=binary)@3", 1.0),
    "IA(AP)": ("AP", 1.0),
    "IA(nDCG@3)": ("nDCG@3", 1.0),
    "D(nDCG@3)": ("nDCG@3", 1.0),
    "NRBP(alpha=0, beta=0.8)": ("RBP(p=0.8)", 1.0),
    "StRecall@3": ("Success@3", 1.0),
    "ERR_IA@3": ("ERR@3", 2 / (1 + 0.5 / 2 + 0.25 / 3)),
    "StPrec": ("RR", 1.0),
}


@pytest.mark.parametrize("text", PLAIN)
@TRIES
@given(some=st.lists(cases, min_size=1, max_size=5))
def test_one_subtopic_is_the_plain_measure(text: str, some: list[Case]) -> None:
    one = [
        Case(tuple(d and d[:1] for d in case.found), tuple(d[:1] for d in case.others))
        for case in some
    ]
    plain, factor = PLAIN[text]
    gains = gains_of(one, subtopics=1)
    expected = factor * measure(plain).value(gains)
    assert measure(text).value(gains).tolist() == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.parametrize(("text", "alpha"), [
    ("alpha_nDCG", 0.5), ("alpha_nDCG@3", 0.5), ("nERR_IA@4", 0.5), ("nNRBP", 0.5), ("StPrec", 1.0),
])  # fmt: skip
@TRIES
@given(case=cases)
def test_the_greedy_ideal_list_scores_1(text: str, alpha: float, case: Case) -> None:
    if not known(case):
        assert value(text, case) == [0.0]
        return
    ids = {f"d{n:02}": one for n, one in enumerate(case.judged)}
    made = greedy(case, alpha)
    # The documents keep their order of ids, which settles ties, and the list is the ideal one.
    gains = gains_of([Case((), tuple(ids.values()))], subtopics=S, depth=len(made))
    every = {one: place + 2 for place, one in enumerate(product((0, 1), repeat=S))}
    codes = np.array([[every[one] for one in made if one is not None]], np.int32)
    dimension = replace(gains.dimensions["topicality"], codes=codes)
    ideal = replace(gains, dimensions={"topicality": dimension}, length=np.array([len(made)]))
    assert measure(text).value(ideal).tolist() == pytest.approx([1.0], abs=1e-12)


# ---- names -----------------------------------------------------------------------------------

NAMES = {
    "alpha-nDCG@10": "alpha_nDCG(alpha=0.5)@10",
    "α_nDCG@10": "alpha_nDCG(alpha=0.5)@10",  # noqa: RUF001
    "ERR-IA@20": "ERR_IA(alpha=0.5)@20",
    "MAP-IA": "IA(AP)",
    "AP_IA": "IA(AP)",
    "P-IA@5": "IA(P@5)",
    "nDCG-IA@10": "IA(nDCG@10)",
    "RBP-IA(p=0.9)": "IA(RBP(p=0.9))",
    "strec@5": "StRecall@5",
    "D-nDCG@10": "D(nDCG@10)",
    "D#-nDCG@10": "Dsharp(nDCG@10, gamma=0.5)",
    "Dsharp(nDCG@10, gamma=0.3)": "Dsharp(nDCG@10, gamma=0.3)",
    "NRBP": "NRBP(alpha=0.5, beta=0.5)",
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text: str) -> None:
    found = measure(text)
    assert found.name == NAMES[text]
    assert measure(found.name) == found
    assert found.formula
    assert found.citation


REFUSED = {
    "IA(nDCG)@10": ("IA takes no cutoff", "write @10 after the base measure"),
    "IA": ("IA takes one base measure", "IA(nDCG@10)"),
    "IA(IA(AP))": ("IA takes a simple base measure", "IA(nDCG@10)"),
    "D(DCG@10)": ("D needs gains from 0 to 1 of one dimension", "gain=graded"),
    "Dsharp(nDCG@10, gamma=2)": ("gamma=2 must be a number from 0 to 1", ""),
    "D(nDCG@10, gamma=1)": ("D has no parameter 'gamma'", ""),
    "alpha_nDCG(alpha=1.5)@10": ("alpha=1.5 must be a number from 0 to 1", ""),
    "ERR_IA": ("ERR_IA needs a cutoff, such as ERR_IA@10", ""),
    "NRBP(beta=1)": ("beta=1 must be a number above 0 and below 1", ""),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        measure(text)
    (problem,) = caught.value.problems
    what, fix = REFUSED[text]
    assert (problem.where, problem.what) == (f"measure '{text}'", what)
    assert fix in problem.fix
