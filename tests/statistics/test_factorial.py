"""Analysis of variance with several factors, against statsmodels where that is right."""

import numpy as np
import pytest

from pipeline.statistics.significance.factorial import RESIDUAL, TYPES, analyse

NAMES = ("a", "b", "c")
TYPE = {"I": 1, "II": 2, "III": 3}


def scores(seed: int, size: int = 300) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    levels = random.integers(0, 3, size=(size, 3))
    values = levels @ [1.0, 0.5, 0.2] + 0.3 * levels[:, 0] * levels[:, 1]
    return levels, values + random.normal(size=size)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", [1, 2])
def test_as_statsmodels_where_no_cell_is_empty(kind: str, seed: int) -> None:
    import pandas as pd
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    levels, values = scores(seed)
    frame = pd.DataFrame(levels, columns=list(NAMES)).assign(y=values)
    model = smf.ols("y ~ C(a, Sum) * C(b, Sum) * C(c, Sum)", frame).fit()
    theirs = anova_lm(model, typ=TYPE[kind]).drop(index="Intercept", errors="ignore")
    ours = analyse(levels, values, factors=NAMES, squares=kind)
    assert [one.name for one in ours] == ["a", "b", "c", "a:b", "a:c", "b:c", "a:b:c", RESIDUAL]
    assert [one.squares for one in ours] == pytest.approx(theirs["sum_sq"].tolist())
    assert [one.freedom for one in ours] == theirs["df"].tolist()
    assert [one.f for one in ours[:-1]] == pytest.approx(theirs["F"].tolist()[:-1])
    assert [one.p for one in ours[:-1]] == pytest.approx(theirs["PR(>F)"].tolist()[:-1])
    assert sum(one.share for one in ours) == pytest.approx(1)


@pytest.mark.parametrize("kind", TYPES)
def test_empty_cells_take_degrees_of_freedom(kind: str) -> None:
    """Without a level of b, and without another cell; the rank of all is the number of cells."""
    levels, values = scores(3)
    keep = (levels[:, 1] > 0) & ~((levels == [0, 1, 0]).all(axis=1))
    ours = analyse(levels[keep], values[keep], factors=NAMES, squares=kind)
    freedom = [one.freedom for one in ours]
    assert freedom[:7] == [2, 1, 2, 2, 4, 2, 3]  # counting levels: 2, 1, 2, 2, 4, 2, 4
    cells = len(np.unique(levels[keep], axis=0))
    assert 1 + sum(freedom[:-1]) == cells == 17
    assert freedom[-1] == keep.sum() - cells


def test_an_effect_that_cannot_be_told_from_others_has_none() -> None:
    """Two factors that are always the same: the second adds nothing."""
    random = np.random.default_rng(4)
    level = random.integers(0, 2, size=60)
    levels = np.column_stack([level, level])
    ours = analyse(levels, level + random.normal(size=60), factors=("a", "b"), squares="I")
    assert [(one.name, one.freedom, one.squares > 0) for one in ours] == [
        ("a", 1, True), ("b", 0, False), ("a:b", 0, False), (RESIDUAL, 58, True),
    ]  # fmt: skip
    assert np.isnan(ours[1].f)


def test_by_hand() -> None:
    """Two groups with means 2 and 5: 13.5 of 17.5 squares are between them."""
    levels, values = np.array([[0], [0], [0], [1], [1], [1]]), np.array([1, 2, 3, 4, 5, 6.0])
    effect, rest = analyse(levels, values, factors=("g",), squares="II")
    assert (effect.squares, effect.freedom) == (pytest.approx(13.5), 1)
    assert (rest.squares, rest.freedom) == (pytest.approx(4.0), 4)
    assert effect.f == pytest.approx(13.5)
    assert effect.share == pytest.approx(13.5 / 17.5)
