"""What holds for every declared measure, tried on small lists nobody chose by hand."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.measures import REGISTRY, parse
from pipeline.measures.contributions import contributions
from pipeline.measures.declaration import Declaration
from pipeline.measures.measure import Single
from pipeline.measures.ties import under_ties
from tests.measures.trec_reference import TREC, UNANSWERED
from tests.small import LABELS, Case, gains_of

TRIES = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
STANDARD = [name for name, one in REGISTRY.items() if "cwl" not in one.function.__module__]


def texts(declaration: Declaration) -> list[str]:
    """The measure with its defaults, at the cutoffs it takes."""
    cuts = {"none": [""], "optional": ["", "@2"], "required": ["@1", "@3"]}[declaration.cutoff]
    missing = [
        f"{key}={param.choices[0] if param.choices else _inside(param.low, param.high)}"
        for key, param in declaration.params.items()
        if param.default is None
    ]
    inner = f"({', '.join(missing)})" if missing else ""
    return [declaration.name + inner + cut for cut in cuts]


def _inside(low: float, high: float) -> float:
    low = max(low, -8.0)
    return (low + min(high, low + 2)) / 2


def measure(text: str) -> Single:
    found = parse(text, dimensions=["topicality"])
    assert isinstance(found, Single)
    return found


TEXTS = [text for declaration in REGISTRY.values() for text in texts(declaration)]
each = pytest.mark.parametrize("text", TEXTS)

labels = st.lists(st.sampled_from([None, *LABELS]), max_size=6).map(tuple)
others = st.lists(st.sampled_from(LABELS), max_size=3).map(tuple)
cases = st.builds(Case, labels, others)


@st.composite
def tied_cases(draw: st.DrawFn) -> Case:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    groups = [number for number, size in enumerate(sizes) for _ in range(size)]
    found = draw(st.lists(st.sampled_from([None, *LABELS]), min_size=len(groups),
                          max_size=len(groups)))  # fmt: skip
    return Case(tuple(found), draw(others), tuple(groups))


# ---- of every measure ------------------------------------------------------------------------


@each
@TRIES
@given(some=st.lists(cases, min_size=1, max_size=6))
def test_values_are_in_the_declared_range(text: str, some: list[Case]) -> None:
    one, gains = measure(text), gains_of(some)
    low, high = one.declaration.range
    scores = one.scores(gains)
    assert np.isfinite(scores.value).all()
    assert ((low - 1e-9 <= scores.value) & (scores.value <= high + 1e-9)).all()
    assert (scores.lower <= scores.value + 1e-9).all()
    assert (scores.value <= scores.upper + 1e-9).all()


@each
def test_an_empty_list_scores_what_is_declared(text: str) -> None:
    one = measure(text)
    scores = one.scores(gains_of([Case((), (1, 2, 0)), Case((1, None), (0,))]))
    due = UNANSWERED.get(text, one.declaration.unretrieved)
    assert (scores.value[0], scores.lower[0], scores.upper[0]) == (due, due, due)


@each
@TRIES
@given(case=cases, at=st.integers(0, 5), place=st.integers(0, 2))
def test_more_gain_never_hurts_where_declared(text: str, case: Case, at: int, place: int) -> None:
    """The same judgements: a better document comes earlier, or comes instead of a worse one."""
    one = measure(text)
    if not one.declaration.rises or len(case.labels) < 2 or not case.others:
        return
    at, place = at % len(case.labels), place % len(case.others)
    better = []
    for other in range(at):
        if (case.labels[at] or 0) > (case.labels[other] or 0):
            moved = list(case.labels)
            moved[other], moved[at] = moved[at], moved[other]
            better.append(Case(tuple(moved), case.others))
    if case.labels[at] is not None and case.others[place] > case.labels[at]:
        rest = list(case.others)
        moved = list(case.labels)
        moved[at], rest[place] = rest[place], moved[at]
        better.append(Case(tuple(moved), tuple(rest)))
    values = one.value(gains_of([case, *better]))
    assert (values >= values[0] - 1e-9).all()


@pytest.mark.slow
@each
@TRIES
@given(some=st.lists(cases, min_size=2, max_size=5))
def test_other_lists_do_not_matter(text: str, some: list[Case]) -> None:
    one, gains = measure(text), gains_of(some)
    together = one.scores(gains)
    for row in range(len(some)):
        alone = one.scores(gains.rows(np.arange(len(some)) == row))
        for end in ("value", "lower", "upper"):
            assert getattr(alone, end)[0] == pytest.approx(getattr(together, end)[row], abs=1e-9)


def completions(case: Case) -> Iterator[Case]:
    open_ = [rank for rank, label in enumerate(case.labels) if label is None]
    for chosen in product(LABELS, repeat=len(open_)):
        full = dict(zip(open_, chosen, strict=True))
        yield replace(case, labels=tuple(full.get(r, n) for r, n in enumerate(case.labels)))


@each
@TRIES
@given(case=cases)
def test_bounds_hold_for_every_label(text: str, case: Case) -> None:
    if case.labels.count(None) > 4:
        return
    one = measure(text)
    scores = one.scores(gains_of([case], depth=6))
    values = one.value(gains_of([*completions(case)], depth=6))
    assert scores.lower[0] <= values.min() + 1e-9
    assert values.max() <= scores.upper[0] + 1e-9
    # Labels change only documents of the list, so the part of the unjudged holds alone.
    assert scores.unjudged_lower[0] <= values.min() + 1e-9
    assert values.max() <= scores.unjudged_upper[0] + 1e-9
    assert scores.lower[0] <= scores.unjudged_lower[0] + 1e-9
    assert scores.unjudged_upper[0] <= scores.upper[0] + 1e-9
    if None not in case.labels:  # nothing is unjudged: all that is open is past the end
        assert scores.unjudged[0] == pytest.approx(0, abs=1e-9)
    # What looks past the end says so, or the two parts would be one.
    ended = one.scores(replace(gains_of([case], depth=6), ended=True))
    assert ended.lower[0] == pytest.approx(scores.unjudged_lower[0], abs=1e-12)
    assert ended.upper[0] == pytest.approx(scores.unjudged_upper[0], abs=1e-12)


def orders(case: Case) -> Iterator[Case]:
    """Every order of the tied documents."""
    numbers = sorted(set(case.groups))
    members = [[n for n, g in zip(case.labels, case.groups, strict=True) if g == number]
               for number in numbers]  # fmt: skip
    for chosen in product(*(permutations(group) for group in members)):
        yield replace(case, labels=tuple(label for group in chosen for label in group))


@each
@TRIES
@given(case=tied_cases())
def test_ties_against_every_order(text: str, case: Case) -> None:
    one, gains = measure(text), gains_of([case])
    if one.declaration.scores:
        return  # its scores are tied, whatever the order
    ties = under_ties(one, gains, one.value(gains))
    values = one.value(gains_of([*orders(case)]))
    worst, expected, best = ties.worst[0], ties.expected[0], ties.best[0]
    if not np.isnan(expected):
        assert expected == pytest.approx(values.mean(), abs=1e-9)
    if not np.isnan(worst):
        assert (worst, best) == pytest.approx((values.min(), values.max()), abs=1e-9)
    if one.declaration.rises:
        assert not np.isnan([worst, best]).any()
    if one.declaration.expected is not None:
        assert not np.isnan(expected)


# ---- of the standard measures: each once more, for one list, as its source says it -----------


def found(case: Case, k: int | None = None) -> list[bool]:
    return [bool(label) for label in case.labels[:k]]


def all_relevant(case: Case) -> int:
    return sum(label > 0 for label in case.judged)


def average_precision(case: Case, k: int | None = None) -> float:
    hits, total = 0, 0.0
    for rank, hit in enumerate(found(case, k), 1):
        hits += hit
        total += hit * hits / rank
    return total / all_relevant(case) if all_relevant(case) else 0.0


def graded_precision(case: Case, k: int | None = None) -> float:
    """GAP: the mean, over users by the least gain they count, of what AP is to them."""
    gains = case.gains[:k]
    total = sum(
        min(gain, other) / rank
        for rank, gain in enumerate(gains, 1)
        for other in gains[:rank]
    )  # fmt: skip
    most = sum(case.judged) / 2
    return total / most if most else 0.0


def clicked_precision(case: Case, k: int | None = None) -> float:
    """PAP: over every set of clicks, n / rank of the n-th."""
    gains = case.gains[:k]
    total = 0.0
    for clicks in product((False, True), repeat=len(gains)):
        chance = math.prod(g if c else 1 - g for g, c in zip(gains, clicks, strict=True))
        ranks = [rank for rank, click in enumerate(clicks, 1) if click]
        total += chance * sum(n / rank for n, rank in enumerate(ranks, 1))
    relevant = sum(label > 0 for label in case.judged)
    return total / relevant if relevant else 0.0


def reciprocal_rank(case: Case, k: int | None = None) -> float:
    return next((1 / rank for rank, hit in enumerate(found(case, k), 1) if hit), 0.0)


def r_precision(case: Case) -> float:
    r = all_relevant(case)
    return sum(found(case, r)) / r if r else 0.0


def interpolated(case: Case, recall: float) -> float:
    wanted, hits, best = math.floor(recall * all_relevant(case) + 0.9), 0, 0.0
    for rank, hit in enumerate(found(case), 1):
        hits += hit
        if hits >= wanted:
            best = max(best, hits / rank)
    return best


def bpref(case: Case) -> float:
    r, n, above, total = all_relevant(case), case.judged.count(0), 0, 0.0
    for label in case.labels:
        if label == 0:
            above += 1
        elif label is not None:
            total += 1 - min(above, r) / min(r, n) if above else 1
    return total / r if r else 0.0


def err(case: Case, k: int | None = None) -> float:
    left, total = 1.0, 0.0
    for rank, label in enumerate(case.labels[:k], 1):
        stop = (2 ** (label or 0) - 1) / 4
        total += left * stop / rank
        left *= 1 - stop
    return total


def dcg(gains: list[float], k: int | None = None) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def grades(case: Case, *, exp: bool = False) -> list[float]:
    return [2 ** (n or 0) - 1 if exp else (n or 0) for n in case.labels]


def ndcg(case: Case, k: int | None = None, *, exp: bool = False) -> float:
    ideal = dcg(sorted(grades(Case(tuple(case.judged)), exp=exp), reverse=True), k)
    return dcg(grades(case, exp=exp), k) / ideal if ideal else 0.0


def f_measure(case: Case, beta: float, k: int | None = None) -> float:
    hits, size, r = sum(found(case, k)), k or len(case.labels), all_relevant(case)
    precision, recall = (hits / size if size else 0), (hits / r if r else 0)
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def share(above: float, below: float) -> float:
    return above / below if below else 0.0


def rbp(case: Case, p: float) -> float:
    return (1 - p) * sum(p**rank * hit for rank, hit in enumerate(found(case)))


REFERENCE: dict[str, Callable[[Case], float]] = {
    "P@1": lambda c: sum(found(c, 1)),
    "P@4": lambda c: sum(found(c, 4)) / 4,
    "P(gain=graded)@4": lambda c: sum(c.gains[:4]) / 4,
    "R@2": lambda c: share(sum(found(c, 2)), all_relevant(c)),
    "R(gain=graded)@2": lambda c: share(sum(c.gains[:2]), sum(c.judged) / 2),
    "SetP": lambda c: share(sum(found(c)), len(c.labels)),
    "SetR": lambda c: share(sum(found(c)), all_relevant(c)),
    "SetF": lambda c: f_measure(c, 1),
    "SetF(beta=0.5)": lambda c: f_measure(c, 0.5),
    "SetF(beta=2)@3": lambda c: f_measure(c, 2, 3),
    "SetE": lambda c: 1 - f_measure(c, 1),
    "SetE(beta=2)@3": lambda c: 1 - f_measure(c, 2, 3),
    "GAP": graded_precision,
    "GAP@2": lambda c: graded_precision(c, 2),
    "PAP": clicked_precision,
    "PAP@2": lambda c: clicked_precision(c, 2),
    "AP": average_precision,
    "AP@2": lambda c: average_precision(c, 2),
    "AP(rel=2)": lambda c: average_precision(
        Case(
            tuple(None if n is None else n // 2 for n in c.labels), tuple(n // 2 for n in c.others)
        )
    ),
    "GMAP": average_precision,
    "RR": reciprocal_rank,
    "RR@2": lambda c: reciprocal_rank(c, 2),
    "Rprec": r_precision,
    "IPrec(recall=0)": lambda c: interpolated(c, 0),
    "IPrec(recall=0.4)": lambda c: interpolated(c, 0.4),
    "IPrec(recall=1)": lambda c: interpolated(c, 1),
    "Success@1": lambda c: any(found(c, 1)),
    "Success@3": lambda c: any(found(c, 3)),
    "Bpref": bpref,
    "ERR": err,
    "ERR@2": lambda c: err(c, 2),
    "DCG": lambda c: dcg(grades(c)),
    "DCGexp@3": lambda c: dcg(grades(c, exp=True), 3),
    "nDCG": ndcg,
    "nDCG@2": lambda c: ndcg(c, 2),
    "nDCGexp": lambda c: ndcg(c, exp=True),
    "nDCGexp@2": lambda c: ndcg(c, 2, exp=True),
    "RBP(p=0.6)": lambda c: rbp(c, 0.6),
    "Judged": lambda c: share(len(c.labels) - c.labels.count(None), len(c.labels)),
    "Judged@2": lambda c: share(sum(n is not None for n in c.labels[:2]), len(c.labels[:2])),
    "Unjudged": lambda c: c.labels.count(None),
    "Unjudged@3": lambda c: c.labels[:3].count(None),
    "NumRet": lambda c: len(c.labels),
    "NumRet(rel=2)": lambda c: c.labels.count(2),
    "NumRel": all_relevant,
    "NumRelRet": lambda c: sum(found(c)),
    "NumRelRet@2": lambda c: sum(found(c, 2)),
    **TREC,
}


SUMS = [t for t in TEXTS if (d := measure(t).declaration).contributions or d.expected == "linear"]


@pytest.mark.parametrize("text", SUMS)
@TRIES
@given(case=cases)
def test_contributions_add_up_to_the_value(text: str, case: Case) -> None:
    one, gains = measure(text), gains_of([Case((2,)), case])
    parts = contributions(one, gains, 1)
    assert parts is not None
    value = float(one.value(gains)[1])
    assert parts.value == pytest.approx(value, abs=1e-12)
    if case.labels:
        assert parts.base + parts.contribution.sum() == pytest.approx(value, abs=1e-9)
    known = ~np.isnan(parts.weight)
    assert (parts.weight * parts.gain)[known].tolist() == pytest.approx(
        parts.contribution[known].tolist(), abs=1e-12
    )


def test_most_measures_are_sums() -> None:
    assert len(SUMS) > 60
    assert {"AP", "nDCG@2", "RBP", "ERR", "Bpref", "InfAP"} <= set(SUMS)
    assert contributions(measure("IPrec"), gains_of([Case((1,))]), 0) is None


@pytest.mark.parametrize("text", REFERENCE)
@TRIES
@given(some=st.lists(cases, min_size=1, max_size=8))
def test_against_the_reference(text: str, some: list[Case]) -> None:
    expected = [float(REFERENCE[text](case)) for case in some]
    assert measure(text).value(gains_of(some)).tolist() == pytest.approx(expected, abs=1e-12)


def test_every_standard_measure_has_a_reference() -> None:
    worked = {n for n, one in REGISTRY.items() if one.module.endswith(".indicators")} | {"nDCGmm"}
    known = {measure(text).declaration.name for text in REFERENCE}
    standard = "pipeline.measures.standard."
    mine = {n for n, one in REGISTRY.items() if one.module.startswith(standard)}
    assert mine - worked == known  # the others have worked examples of their own
