"""Graded and probabilistic average precision: by hand, by their definitions, and as AP."""

from itertools import product

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse

GRADES = (0, 1, 2, 3)
GAINS = {0: 0.0, 1: 0.2, 2: 0.5, 3: 1.0}
SCALE = Scale(0, 3, "high", 2, GAINS, ())
STEPS = {1: 0.2, 2: 0.3, 3: 0.5}  # the chance that a user's least relevant label is this


def gains(*lists: tuple[int, ...]) -> Gains:
    """Lists of one length, each of a topic whose documents it holds all."""
    return from_labels({"t": np.array([lists], float)}, scales={"t": SCALE})


def value(text: str, data: Gains) -> list[float]:
    return parse(text, dimensions=["t"]).value(data).tolist()


def test_by_hand() -> None:
    """Grades 3, 0, 1: with chance .2 both are relevant, with .8 the first alone is."""
    data = gains((3, 0, 1), (1, 0, 3))
    # (1 + (.2 + .2) / 3) / 1.2, and (.2 + (.2 + 1) / 3) / 1.2
    assert value("GAP", data) == pytest.approx([(1 + 0.4 / 3) / 1.2, (0.2 + 1.2 / 3) / 1.2])
    # Clicks: (1 + .2/3 * 2) / 2, and (.2 + 1/3 * 1.2) / 2
    assert value("PAP", data) == pytest.approx([(1 + 0.4 / 3) / 2, (0.2 + 0.4) / 2])
    assert value("GAP@2", data) == pytest.approx([1 / 1.2, 0.2 / 1.2])
    assert value("PAP@2", data) == pytest.approx([1 / 2, 0.2 / 2])


def defined_gap(grades: tuple[int, ...]) -> float:
    """As Robertson, Kanoulas & Yilmaz define it, by the chances of the labels."""
    total = 0.0
    for n in range(1, len(grades) + 1):
        for m in range(1, n + 1):
            lesser = min(grades[m - 1], grades[n - 1])
            total += sum(STEPS[j] for j in range(1, lesser + 1)) / n
    most = sum(sum(STEPS[j] for j in range(1, grade + 1)) for grade in grades)
    return total / most if most else 0.0


def expected_pap(grades: tuple[int, ...]) -> float:
    """The user of Dupret & Piwowarski, over every set of clicks and every number n she wants."""
    wanted = sum(grade > 0 for grade in grades)
    total = 0.0
    for clicks in product((0, 1), repeat=len(grades)):
        chance = np.prod(
            [GAINS[g] if c else 1 - GAINS[g] for g, c in zip(grades, clicks, strict=True)]
        )
        ranks = [rank for rank, click in enumerate(clicks, 1) if click]
        total += chance * sum(n / rank for n, rank in enumerate(ranks, 1))
    return float(total / wanted) if wanted else 0.0


LISTS = [*product(GRADES, repeat=4)]


def test_graded_average_precision_is_its_definition() -> None:
    assert value("GAP", gains(*LISTS)) == pytest.approx([defined_gap(one) for one in LISTS])


def test_probabilistic_average_precision_is_the_mean_over_its_users() -> None:
    assert value("PAP", gains(*LISTS)) == pytest.approx([expected_pap(one) for one in LISTS])


@pytest.mark.parametrize("name", ["GAP", "PAP"])
def test_with_binary_gains_both_are_average_precision(name: str) -> None:
    data = gains(*LISTS)
    for cut in ("", "@2"):
        assert value(f"{name}(gain=binary){cut}", data) == pytest.approx(value(f"AP{cut}", data))


def test_the_best_order_has_a_graded_average_precision_of_one() -> None:
    assert value("GAP", gains((3, 3, 2, 1, 0))) == pytest.approx([1])
    assert value("GAP", gains((3, 3, 2, 0, 1)))[0] < 1
