"""The lines of trec_eval's drop-in: in C as in Python, to the last character."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.api.trec_eval.lines import DECIMAL, TEXT, WHOLE, Column, extension, lines, plainly

ODD = [0.0, -0.0, 1.0, 0.00005, 0.00015, 0.99995, 0.5, 1.5, 2.5, 12.34565, 1e6, 999999.99995,
       1e15, 1e22, -0.00001, -12.5, math.nan, -math.nan, math.inf, -math.inf, 5e-324]  # fmt: skip


@pytest.fixture(autouse=True)
def _compiled() -> None:
    if extension() is None:
        pytest.skip("without the compiled part there is nothing to compare")


def same(values: list[float]) -> None:
    columns = [Column("a", DECIMAL), Column("a_name_longer_than_22_bytes", WHOLE)]
    table = np.array([values, values]).T
    topics = [f"tópico %s {at}" for at in range(len(values))]
    assert lines(topics, columns, table) == plainly(topics, columns, table)


def test_odd_numbers() -> None:
    same(ODD)


@given(st.lists(st.floats(), min_size=1, max_size=30))
def test_any_number(values: list[float]) -> None:
    same(values)


def test_every_figure_halfway_and_its_neighbours() -> None:
    halves = (np.arange(0, 20001) + 0.5) / 1e4
    for values in (halves, np.nextafter(halves, 0), np.nextafter(halves, 9), halves * 1e3):
        same(values.tolist())


def test_quotients_as_measures_are() -> None:
    above, below = np.divmod(np.arange(1, 40000), 199)
    same((above / (below + 1)).tolist())


def test_texts_go_in_between() -> None:
    columns = [Column("P_5", DECIMAL), Column("relstring", TEXT), Column("num_ret", WHOLE)]
    values = np.array([[0.2, 0, 7], [1, 0, 12]])
    printed = lines(["1", "2"], columns, values, ["'01-'", "'é'"])
    assert printed == plainly(["1", "2"], columns, values, ["'01-'", "'é'"])
    assert printed.splitlines()[:3] == [
        "P_5                   \t1\t0.2000",
        "relstring             \t1\t'01-'",
        "num_ret               \t1\t7",
    ]


def test_what_does_not_fit_is_refused() -> None:
    module = extension()
    assert module is not None
    for texts, values in (([], np.zeros((1, 2))), ([b"x"], np.zeros((2, 2))), ([b"x"], b"")):
        with pytest.raises(ValueError, match="do not fit"):
            module.lines([b"1"], [b"a", b"b"], b"dt", values, texts)
