"""Weights of ranks for all lists at once agree with the explanation of each list alone."""

import numpy as np
import pytest

from pipeline.measures import parse
from pipeline.measures.contributions import contributions, rank_weights
from tests.measures.test_properties import SUMS, measure
from tests.small import Case, gains_of

CASES = [
    Case((2, None, 0, 1), (1,)),
    Case((0, 1, 2), (2, 2)),
    Case((), (1,)),
    Case((None, 0), ()),
    Case((1, 2, 0, None, 2, 1), (0, 1)),
]
LINEAR = [text for text in SUMS if measure(text).declaration.expected == "linear"]


@pytest.mark.parametrize("text", LINEAR)
def test_weight_times_factor_is_the_weight_in_each_list(text: str) -> None:
    one, gains = measure(text), gains_of(CASES)
    found = rank_weights(one, gains, depth=6)
    if found is None:
        return
    for row, case in enumerate(CASES):
        alone = contributions(one, gains, row)
        assert alone is not None
        if not case.labels:
            continue
        size = len(alone.weight)
        weight = found.factor[row] * found.weight[:size]
        assert weight.tolist() == pytest.approx(alone.weight.tolist(), abs=1e-9)
        total = found.base[row] + weight @ alone.gain
        assert total == pytest.approx(float(one.value(gains)[row]), abs=1e-9)


def test_the_usual_measures_have_such_weights() -> None:
    gains = gains_of(CASES)
    have = {text for text in LINEAR if rank_weights(measure(text), gains, depth=6)}
    assert {"RBP", "P@3", "R@3", "nDCG@2", "nDCG", "DCG"} <= have


def test_what_is_no_such_sum_has_none() -> None:
    gains = gains_of(CASES)
    for text in ("AP", "RR", "ERR"):
        assert rank_weights(parse(text, dimensions=["topicality"]), gains, depth=6) is None
    nothing = gains_of([Case((0, None), ())])
    found = rank_weights(measure("nDCG"), nothing, depth=2)
    assert found is None or np.isfinite(found.weight).all()
