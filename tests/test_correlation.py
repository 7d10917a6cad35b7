"""Correlations: against scipy, hand-worked rankings, published values and brute force."""

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from pipeline.correlation import STATISTICS, correlate, read_means, tau_ap, tau_ap_b, tau_b
from pipeline.errors import InputError

# The worked example of the R package ircor (Urbano & Marrero 2017), README.
X = [0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94]
Y = [0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94]
X_TIED = [round(v * 5) / 5 for v in X]
Y_TIED = [round(v * 5) / 5 for v in Y]


@pytest.mark.parametrize("levels", [3, 8, 10_000])
@pytest.mark.parametrize("n", [2, 5, 14, 68])
def test_tau_b_equals_scipy(n: int, levels: int) -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(n * levels)
    compared = 0
    for _ in range(10):
        x, y = rng.integers(levels, size=(2, n)) / levels
        expected = kendalltau(x, y, variant="b").statistic
        assert tau_b(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        compared += not math.isnan(expected)
    assert compared >= 3


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        # By y: 4 3 2 1. Above each but the first, x agrees on all.
        ([4, 3, 2, 1], [4, 3, 2, 1], 1.0),
        ([4, 3, 2, 1], [1, 2, 3, 4], -1.0),
        # Top two swapped: shares 0/1, 2/2, 3/3 -> 2/3 * 2 - 1.
        ([4, 3, 2, 1], [3, 4, 2, 1], 1 / 3),
        # Bottom two swapped: shares 1/1, 2/2, 2/3 -> 2/3 * 8/3 - 1: the top weighs more.
        ([4, 3, 2, 1], [4, 3, 1, 2], 7 / 9),
        # The estimate moves the best to the bottom: 1/1, 2/2, 0/3; and the other way round
        # (the reference ranks the estimate's last first): 0/1, 1/2, 2/3.
        ([4, 3, 2, 1], [1, 4, 3, 2], 1 / 3),
        ([1, 4, 3, 2], [4, 3, 2, 1], -2 / 9),
        # Tie at the top of y: mean of 1 (right order) and 0 (wrong: 0/1, 2/2 -> 2/2*1-1).
        ([3, 2, 1], [2, 2, 1], 0.5),
        # Tie in x: the pair counts half.
        ([2, 2, 1], [3, 2, 1], 0.5),
        ([3, 2, 1], [1, 1, 1], 0.0),
    ],
)
def test_tau_ap_by_hand(x: list[float], y: list[float], expected: float) -> None:
    assert tau_ap(x, y) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("statistic", "x", "y", "expected"),
    [
        (tau_b, X, Y, 0.7777778),
        (tau_ap, X, Y, 0.7491182),
        (tau_ap, X, Y_TIED, 0.6074515),
        (tau_b, X_TIED, Y_TIED, 0.75),
        (tau_ap_b, X_TIED, Y_TIED, 0.6269841),
        (tau_ap_b, Y_TIED, X_TIED, 0.6269841),
    ],
)
def test_published_values(statistic, x, y, expected) -> None:  # type: ignore[no-untyped-def]
    assert statistic(x, y) == pytest.approx(expected, abs=5e-8)


def yilmaz(x: tuple[int, ...], y: tuple[int, ...]) -> float:
    """Equation 2 of the paper, word by word; neither may tie."""
    ranking = sorted(range(len(y)), key=lambda i: -y[i])
    total = 0.0
    for i in range(1, len(ranking)):
        correct = sum(x[above] > x[ranking[i]] for above in ranking[:i])
        total += correct / i
    return 2 / (len(ranking) - 1) * total - 1


def ways_to_break(values: list[int]) -> list[tuple[int, ...]]:
    """Every strict ranking that only separates what is tied."""
    n = len(values)
    return [
        p
        for p in itertools.permutations(range(n))
        if all(p[i] > p[j] for i in range(n) for j in range(n) if values[i] > values[j])
    ]


def test_tau_ap_is_the_mean_over_all_ways_to_break_ties() -> None:
    rng = np.random.default_rng(2008)
    tied = 0
    for _ in range(40):
        x, y = rng.integers(3, size=(2, 5)).tolist()
        ways = list(itertools.product(ways_to_break(x), ways_to_break(y)))
        expected = sum(yilmaz(a, b) for a, b in ways) / len(ways)
        assert tau_ap(x, y) == pytest.approx(expected, abs=1e-12)
        tied += len(ways) > 1
    assert tied > 20


@pytest.mark.parametrize("name", STATISTICS)
def test_undefined_is_nan_and_never_a_crash(name: str) -> None:
    statistic = STATISTICS[name]
    assert math.isnan(statistic([], []))
    assert math.isnan(statistic([0.5], [0.4]))
    if name != "tau_ap":  # tau_ap averages over the ways to break ties: 0
        assert math.isnan(statistic([1, 2, 3], [1, 1, 1]))
        assert math.isnan(statistic([1, 1, 1], [1, 2, 3]))
    with pytest.raises(ValueError, match="same length"):
        statistic([1, 2], [1, 2, 3])


def write_means(folder: Path, text: str) -> Path:
    path = folder / "means.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_correlate_writes_every_ordered_pair(tmp_path: Path) -> None:
    means = write_means(
        tmp_path,
        'run,team,RBP(p=0.8),"H(RBP, a=1)",flat\n'
        "r1,t,0.4,0.1,0.5\nr2,t,0.3,0.4,0.5\nr3,u,0.2,0.3,0.5\nr4,u,0.1,0.2,0.5\n",
    )
    out = tmp_path / "deep" / "correlations.csv"
    correlate(means, out=out, statistics=["tau_b", "tau_ap"])
    rows = list(csv.reader(out.open(newline="", encoding="utf-8")))
    assert rows == [
        ["measure_a", "measure_b", "n", "tau_b", "tau_ap"],
        # x = 4 3 2 1, y = 1 4 3 2: 3 concordant, 3 discordant; tau_ap as worked by hand above.
        ["RBP(p=0.8)", "H(RBP, a=1)", "4", "0.000000", "0.333333"],
        ["RBP(p=0.8)", "flat", "4", "", "0.000000"],
        ["H(RBP, a=1)", "RBP(p=0.8)", "4", "0.000000", "-0.222222"],
        ["H(RBP, a=1)", "flat", "4", "", "0.000000"],
        ["flat", "RBP(p=0.8)", "4", "", "0.000000"],
        ["flat", "H(RBP, a=1)", "4", "", "0.000000"],
    ]


def test_one_run_gives_blank_values(tmp_path: Path) -> None:
    means = write_means(tmp_path, "run,team,A,B\nr1,t,0.4,0.1\n")
    out = tmp_path / "c.csv"
    correlate(means, out=out, statistics=["tau_b", "tau_ap", "tau_ap_b"])
    assert out.read_text().splitlines()[1:] == ["A,B,1,,,", "B,A,1,,,"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the header must be run,team and at least one measure, but it is 'empty'."),
        ("run,team\nr,t\n", "the header must be run,team and at least one measure, but it is "),
        ("run,team,A\n", "no run in this file; at least one row is needed."),
        ("run,team,A,A\nr,t,1,1\n", "measure 'A' has two columns; keep one."),
        ("run,team,A\nr,t,1\nr,t,2\n", "line 3: run 'r' appears twice; keep one row a run."),
        ("run,team,A\nr,t\n", "line 2: 2 fields instead of 3."),
        ("run,team,A\nr,t,x\n", "line 2: 'x' is not a finite number; every run needs every mean."),
        ("run,team,A\nr,t,nan\n", "line 2: 'nan' is not a finite number"),
    ],
)
def test_bad_means_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_means(write_means(tmp_path, text))
    assert message in str(error.value)


def test_unknown_statistic_names_the_nearest(tmp_path: Path) -> None:
    means = write_means(tmp_path, "run,team,A,B\nr1,t,0.4,0.1\n")
    with pytest.raises(InputError, match="'tau_c' is unknown; did you mean 'tau_b'"):
        correlate(means, out=tmp_path / "c.csv", statistics=["tau_c"])
    assert not (tmp_path / "c.csv").exists()
