"""Combinations under ties, against every order of the tied documents."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.ties import Ties, under_ties
from pipeline.storage.arrays import Floats
from tests.small import LABELS, Case, gains_of

TWO = ("topicality", "understandability")
WEIGHTS = "topicality=2, understandability=1"
SIZES = ((4,), (2, 3), (6,), (2, 5), (2, 2, 2))  # some with few orders, some with many


def two_dimensions(seed: int, sizes: tuple[int, ...], *, rows: int = 4) -> Gains:
    """Lists of tied groups of these sizes, judged in two dimensions that do not agree."""
    draw = np.random.default_rng(seed)
    groups = tuple(number for number, size in enumerate(sizes) for _ in range(size))
    made = []
    for _ in TWO:
        labels = draw.choice([None, *LABELS], (rows, len(groups)), p=[0.1, 0.4, 0.25, 0.25])
        made.append(gains_of([Case(tuple(row), (2, 1), groups) for row in labels.tolist()]))
    first, second = (one.dimensions["topicality"] for one in made)
    return replace(made[0], dimensions=dict(zip(TWO, (first, second), strict=True)))


def orders(sizes: tuple[int, ...]) -> Iterator[list[int]]:
    """Every order of the places, groups kept."""
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    places = [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    for chosen in product(*map(permutations, places)):
        yield [place for group in chosen for place in group]


def every_value(text: str, gains: Gains, sizes: tuple[int, ...]) -> Floats:
    """[order, row]: the values under every order there is."""
    one = parse(text, dimensions=TWO)
    rows = len(gains.topic)
    return np.array(
        [one.value(gains.reordered(np.tile(order, (rows, 1)))) for order in orders(sizes)]
    )


def tied(text: str, gains: Gains) -> Ties:
    one = parse(text, dimensions=TWO)
    return under_ties(one, gains, one.value(gains))


@pytest.mark.parametrize("base", ["RBP(p=0.7)", "P@3", "nDCG@3", "nDCG", "INSQ(T=2)"])
@pytest.mark.parametrize("way", ["CAM", "HelpHarm"])
@pytest.mark.parametrize("sizes", SIZES)
def test_a_weighted_sum_of_linear_measures_is_exact(
    way: str, base: str, sizes: tuple[int, ...]
) -> None:
    gains = two_dimensions(len(base) + sum(sizes), sizes)
    graded = base if base != "INSQ(T=2)" else "INSQ(T=2, gain=binary)"
    text = f"{way}({graded}, {WEIGHTS})"
    values, found = every_value(text, gains, sizes), tied(text, gains)
    assert found.worst == pytest.approx(values.min(axis=0), abs=1e-12)
    assert found.best == pytest.approx(values.max(axis=0), abs=1e-12)
    assert found.expected == pytest.approx(values.mean(axis=0), abs=1e-12)
    assert (values.max(axis=0) > values.min(axis=0)).any()


@pytest.mark.parametrize("base", ["RBP(p=0.7)", "P@3", "nDCG@3", "AP", "ERR"])
@pytest.mark.parametrize("way", ["H", "G", "CAM", "Hmeans"])
def test_other_combinations_are_exact_or_blank(way: str, base: str) -> None:
    known = blank = 0
    for sizes in SIZES:
        gains = two_dimensions(len(base) + 7 * sum(sizes), sizes)
        text = f"{way}({base}, {WEIGHTS})"
        values, found = every_value(text, gains, sizes), tied(text, gains)
        exact = ~np.isnan(found.worst)
        assert (exact == ~np.isnan(found.best)).all()
        assert found.worst[exact] == pytest.approx(values.min(axis=0)[exact], abs=1e-12)
        assert found.best[exact] == pytest.approx(values.max(axis=0)[exact], abs=1e-12)
        averaged = ~np.isnan(found.expected)
        assert (averaged | (np.ptp(values, axis=0) > 0) | (way != "CAM")).all()
        assert found.expected[averaged] == pytest.approx(values.mean(axis=0)[averaged], abs=1e-12)
        known, blank = known + exact.sum(), blank + (~averaged).sum()
    assert known > 0
    assert (blank == 0) == (way == "CAM")  # the only one of these that is linear in its parts


@pytest.mark.parametrize("text", ["ED(INST(T=2))", "infAP"])
def test_what_does_not_rise_or_another_tool_computes_is_blank(text: str) -> None:
    gains = two_dimensions(5, (6,))
    found = tied(text, gains)
    assert np.isnan(found.worst).any()
    assert (np.isnan(found.worst) == np.isnan(found.best)).all()


def test_a_group_whose_first_document_is_as_good_as_their_mean() -> None:
    """ERR stops with chances 1/4, 3/4, 0 and 0, whose mean is 1/4: they are not even for that."""
    case = Case((1, 2, 0, 0), (), (0, 0, 0, 0))
    gains = gains_of([case])
    one = parse("ERR", dimensions=["topicality"])
    values = [
        one.value(gains_of([replace(case, labels=labels)]))[0]
        for labels in permutations(case.labels)
    ]
    found = under_ties(one, gains, one.value(gains))
    assert found.expected[0] == pytest.approx(np.mean(values), abs=1e-12)
