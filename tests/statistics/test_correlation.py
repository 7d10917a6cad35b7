"""Correlations: against scipy, hand-worked rankings, published values and brute force."""

import csv
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.statistics.correlation import bootstrap as bootstrapping
from pipeline.statistics.correlation import orders, swaps
from pipeline.statistics.correlation.bootstrap import bootstrap, quantile
from pipeline.statistics.correlation.statistic import SystemRankings
from pipeline.statistics.correlation.statistics.depths import (
    rbo_a,
    rbo_b,
    rbo_w,
    top_overlap,
    ubire_overlap,
)
from pipeline.statistics.correlation.statistics.pairs import (
    pearson,
    spearman,
    tau_a,
    tau_ap,
    tau_ap_b,
    tau_b,
)
from pipeline.statistics.correlation.step import STATISTICS, correlate
from pipeline.statistics.correlation.swaps import Swaps, bootstrap_support, count_swaps, find_swaps
from pipeline.statistics.means import read_means
from pipeline.statistics.ranks import ranks
from pipeline.storage import arrow
from tests.builders import write_scores

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


# The others average over the ways to break ties, or take a tie as meant.
NEEDS_ORDER = {"tau_b", "tau_ap_b", "spearman", "pearson"}


@pytest.mark.parametrize("name", STATISTICS)
def test_undefined_is_nan_and_never_a_crash(name: str) -> None:
    statistic = STATISTICS[name]
    assert math.isnan(statistic([], []))
    assert math.isnan(statistic([0.5], [0.4]))
    for x, y in (([1, 2, 3], [1, 1, 1]), ([1, 1, 1], [1, 2, 3])):
        assert math.isnan(statistic(x, y)) == (name in NEEDS_ORDER)
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
        ["measure_a", "measure_b", "n", "tau_b", "tau_ap", "swaps"],
        # x = 4 3 2 1, y = 1 4 3 2: 3 concordant, 3 discordant; tau_ap as worked by hand above.
        ["RBP(p=0.8)", "H(RBP, a=1)", "4", "0.000000", "0.333333", "3"],
        ["RBP(p=0.8)", "flat", "4", "", "0.000000", "0"],
        ["H(RBP, a=1)", "RBP(p=0.8)", "4", "0.000000", "-0.222222", "3"],
        ["H(RBP, a=1)", "flat", "4", "", "0.000000", "0"],
        ["flat", "RBP(p=0.8)", "4", "", "0.000000", "0"],
        ["flat", "H(RBP, a=1)", "4", "", "0.000000", "0"],
    ]


def test_one_run_gives_blank_values(tmp_path: Path) -> None:
    means = write_means(tmp_path, "run,team,A,B\nr1,t,0.4,0.1\n")
    out = tmp_path / "c.csv"
    correlate(means, out=out, statistics=["tau_b", "tau_ap", "tau_ap_b"])
    assert out.read_text().splitlines()[1:] == ["A,B,1,,,,0", "B,A,1,,,,0"]


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("", "header", 1),
        ("run,team\nr,t\n", "header", 1),
        ("run,team,A\n", "no run", None),
        ("run,team,A,A\nr,t,1,1\n", "'A' has two columns", 1),
        ("run,team,A\nr,t,1\nr,t,2\n", "'r' occurs twice", 3),
        ("run,team,A\nr,t\n", "2 fields instead of 3", 2),
        ("run,team,A\nr,t,x\n", "'x' is not a finite", 2),
        ("run,team,A\nr,t,nan\n", "'nan' is not a finite", 2),
    ],
)
def test_bad_means_are_refused(tmp_path: Path, text: str, word: str, line: int | None) -> None:
    path = write_means(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_means(path)
    (problem,) = error.value.problems
    assert (problem.where, problem.line) == (path, line)
    assert word in problem.what


# ---- overlaps -------------------------------------------------------------------------------

# Rankings of one length from the table of tests of the authors' code (Corsi & Urbano 2024): x, y,
# p, then the extrapolated RBO^w, RBO^a and RBO^b. Items in brackets are tied.
CORSI = """
i14 (i5 i12 i16) (i1 i17) (i3 i11) i8|i12 i3 i17 i9 i8 i4 i15 (i13 i14)|0.942991097099648|0.456106059590995|0.438090212407969|0.443426560241437
i1 (i4 i5 i6 i7 i9 i10 i12)|(i2 i8 i10 i11 i16) (i3 i9 i13)|0.93104225303903|0.210506059521637|0.18437546644166|0.195491602475505
(i1 i6 i12 i13 i14 i16 i17 i18 i20) (i4 i22)|i6 (i1 i3 i4 i5 i7 i8 i9 i11 i12 i13)|0.932756867472415|0.415703796861517|0.348159849561566|0.43960869072398
i5 (i9 i26) i21 i1 i11 i8 (i7 i17) i23 (i12 i15) i13|i13 (i14 i22) (i7 i20) (i9 i25) (i6 i10 i23) (i4 i18) i3|0.908711666481576|0.160660665378898|0.156889595572318|0.158613825872411
i3 (i1 i5 i7) i9|(i1 i9) i7 i3 i4|0.930093081332594|0.697096710334179|0.678580739450433|0.684614956129899
i2 i5 i3 (i1 i4)|i5 i8 i2 (i3 i9)|0.968922741966306|0.580287544332462|0.580994268838527|0.583518284931614
"""  # noqa: E501

# Extrapolated RBO of a to z (without p) with another order, as William Webber's program gives it.
WEBBER = [
    ("jtnxyzovchmfldbksguqewari", 0.8, 0.069319),
    ("jtnxyzovchmfldbksguqewari", 0.9, 0.256365),
    ("jtnxyzovchmfldbksguqewari", 0.99, 0.868989),
    ("erqalcnuhjvoxgiybskzdtmwf", 0.5, 0.042585),
    ("zscendjrkobhmitlugywxvafq", 0.9, 0.445363),
    ("agmtrsyhfidnjobwzkxvucqel", 0.1, 0.948245),
    ("agmtrsyhfidnjobwzkxvucqel", 0.8, 0.504878),
    ("achudyxfktsrzwbgqjenolivm", 0.9, 0.640332),
    ("achudyxfktsrzwbgqjenolivm", 0.99, 0.919628),
]


def scores_of(ranking: str) -> dict[str, float]:
    groups = [group.strip("()").split() for group in re.findall(r"\([^)]*\)|\w+", ranking)]
    return {item: -float(place) for place, group in enumerate(groups) for item in group}


@pytest.mark.parametrize("line", CORSI.strip().splitlines())
def test_rbo_with_ties_as_its_authors_have_it(line: str) -> None:
    x, y = (scores_of(ranking) for ranking in line.split("|")[:2])
    p, w, a, b = map(float, line.split("|")[2:])
    items = sorted({*x, *y})
    left, right = ([one.get(item, math.nan) for item in items] for one in (x, y))
    for statistic, expected in ((rbo_w, w), (rbo_a, a), (rbo_b, b)):
        assert statistic(left, right, persistence=p) == pytest.approx(expected, abs=1e-12)
        assert statistic(right, left, persistence=p) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("other", "p", "expected"), WEBBER)
def test_rbo_without_ties_as_its_author_has_it(other: str, p: float, expected: float) -> None:
    letters = sorted(other)
    x = [-letters.index(letter) for letter in letters]
    y = [-other.index(letter) for letter in letters]
    for statistic in (rbo_a, rbo_b, rbo_w):
        assert statistic(x, y, persistence=p) == pytest.approx(expected, abs=6e-7)


def overlaps(x: tuple[int, ...], y: tuple[int, ...]) -> list[float]:
    """The share of the top sets of each depth that is common; neither may tie."""
    a, b = (sorted(range(len(v)), key=lambda i, v=v: -v[i]) for v in (x, y))  # type: ignore[misc]
    return [len({*a[:d]} & {*b[:d]}) / d for d in range(1, len(a) + 1)]


def plain_rbo(x: tuple[int, ...], y: tuple[int, ...], p: float = 0.9) -> float:
    shares = overlaps(x, y)
    seen = sum((1 - p) * p**d * share for d, share in enumerate(shares))
    return seen + p ** len(shares) * shares[-1]


def plain_ubire(x: tuple[int, ...], y: tuple[int, ...]) -> float:
    return 2 / (len(x) - 1) * sum(overlaps(x, y)[:-1]) - 1


@pytest.mark.parametrize(
    ("statistic", "plain"),
    [
        (rbo_a, plain_rbo),
        (ubire_overlap, plain_ubire),
        (lambda x, y: top_overlap(x, y, depth=2), lambda x, y: overlaps(x, y)[1]),
    ],
)
def test_overlaps_are_the_mean_over_all_ways_to_break_ties(statistic, plain) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(2024)
    tied = 0
    for _ in range(30):
        x, y = rng.integers(3, size=(2, 5)).tolist()
        ways = list(itertools.product(ways_to_break(x), ways_to_break(y)))
        expected = sum(plain(a, b) for a, b in ways) / len(ways)
        assert statistic(x, y) == pytest.approx(expected, abs=1e-12)
        tied += len(ways) > 1
    assert tied > 20


def test_rbo_b_and_w_of_a_tied_ranking_with_itself() -> None:
    x = [3, 3, 2, 1, 1, 1]
    assert rbo_b(x, x) == pytest.approx(1)
    assert rbo_w(x, x) == pytest.approx(1)
    assert rbo_a(x, x) < 0.95


def test_top_overlap_deeper_than_the_ranking() -> None:
    assert top_overlap([1, 2, 3], [3, 2, 1]) == 1
    assert top_overlap([1, 2, 3], [3, 2, 1], depth=1) == 0
    assert top_overlap([1, 2, 3, 4], [1, 2, 4, 3], depth=2) == 1


# ---- against scipy and the authors of the tie-aware variants ---------------------------------


@pytest.mark.parametrize("levels", [3, 10_000])
def test_spearman_pearson_and_tau_a_equal_scipy(levels: int) -> None:
    from scipy import stats

    rng = np.random.default_rng(levels)
    for n in (3, 9, 68):
        x, y = rng.integers(levels, size=(2, n)) / levels
        x[:2], y[1:3] = (0.0, 1.0), (0.0, 1.0)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
        agree = sum(
            np.sign((x[i] - x[j]) * (y[i] - y[j])) for i, j in itertools.combinations(range(n), 2)
        )
        assert tau_a(x, y) == pytest.approx(agree / math.comb(n, 2), abs=1e-12)


# The data of the tests of ircor (Urbano & Marrero 2017), and what they expect.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        {"tau": 0.9111, "tau_a": 0.8889, "tau_b": 0.9398},
        {"tau": 0.8519, "tau_a": 0.7454, "tau_b": 0.7321},
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        {"tau": 0.2889, "tau_a": 0.3333, "tau_b": 0.3765},
        {"tau": 0.2504, "tau_a": 0.2692, "tau_b": 0.297},
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        {"tau": -0.6889, "tau_a": -0.6222, "tau_b": -0.6510},
        {"tau": -0.6971, "tau_a": -0.5558, "tau_b": -0.7047},
    ),
]


@pytest.mark.parametrize(("x", "y", "kendall", "ap"), IRCOR)
def test_tie_aware_variants_as_their_authors_have_them(x, y, kendall, ap) -> None:  # type: ignore[no-untyped-def]
    x_tied, y_tied = np.round(x, 1), np.round(y, 1)
    close = {"abs": 5e-5}
    assert tau_a(x, y) == tau_b(x, y) == pytest.approx(kendall["tau"], **close)
    assert tau_a(x, y_tied) == pytest.approx(kendall["tau_a"], **close)
    assert tau_b(x_tied, y_tied) == pytest.approx(kendall["tau_b"], **close)
    assert tau_ap(x, y) == pytest.approx(ap["tau"], **close)
    assert tau_ap(x, y_tied) == pytest.approx(ap["tau_a"], **close)
    assert tau_ap_b(x_tied, y_tied) == pytest.approx(ap["tau_b"], **close)


# ---- intervals and swaps ---------------------------------------------------------------------


def write_campaign(folder: Path, tables: dict[str, np.ndarray]) -> tuple[Path, list[Path]]:
    """means.csv and a score table a measure, for matrices of runs by topics."""
    paths = []
    for number, (measure, values) in enumerate(tables.items()):
        paths.append(folder / f"{number}.parquet")
        write_scores(paths[-1], measure, values)
    header = ",".join(["run", "team", *tables])
    means = [values.mean(axis=1) for values in tables.values()]
    rows = [f"r{i},t,{','.join(repr(float(m[i])) for m in means)}" for i in range(len(means[0]))]
    return write_means(folder, "\n".join([header, *rows]) + "\n"), paths


def read_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open(newline="", encoding="utf-8")))


def test_intervals_equal_a_plain_loop(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    base = rng.random((7, 12))
    tables = {"A": base, "B": base + 0.5 * rng.random((7, 12)), "C": np.round(base, 1)}
    means, scores = write_campaign(tmp_path, tables)
    correlate(
        means, out=tmp_path / "c.csv", statistics=["tau_b", "tau_ap", "rbo_a"], scores=scores,
        samples=200, seed=3,
    )  # fmt: skip
    drawn = np.random.default_rng(3).multinomial(12, np.full(12, 1 / 12), size=200) / 12
    compared = 0
    for row in read_rows(tmp_path / "c.csv"):
        a, b = (tables[row[key]] for key in ("measure_a", "measure_b"))
        for statistic in (tau_b, tau_ap, rbo_a):
            values = [statistic(*(np.round(one @ w, 12) for one in (a, b))) for w in drawn]
            for end, level in (("lower", 0.025), ("upper", 0.975)):
                expected = float(np.quantile(values, level))
                assert float(row[f"{statistic.name}_{end}"]) == pytest.approx(expected, abs=6e-7)
                compared += 1
    assert compared == 36


def test_a_figure_that_is_no_mean_has_no_interval(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    means, scores = write_campaign(tmp_path, {"A": rng.random((4, 5)), "B": rng.random((4, 5))})
    table = read_rows(means)
    text = "".join(f"{row['run']},t,{row['A']},{float(row['B']) ** 2}\n" for row in table)
    means.write_text("run,team,A,B\n" + text)
    correlate(means, out=tmp_path / "c.csv", statistics=["tau_b"], scores=scores, samples=50)
    for row in read_rows(tmp_path / "c.csv"):
        assert row["tau_b"]
        assert row["tau_b_lower"] == row["tau_b_upper"] == ""


def test_scores_of_other_runs_are_refused(tmp_path: Path) -> None:
    means, scores = write_campaign(tmp_path, {"A": np.ones((2, 3)), "B": np.ones((2, 3))})
    means.write_text(means.read_text().replace("r1,", "r9,"))
    with pytest.raises(InputError, match="'A' are missing or of other runs"):
        correlate(means, out=tmp_path / "c.csv", statistics=["tau_b"], scores=scores, samples=9)


def test_swapped_pairs_by_hand(tmp_path: Path) -> None:
    # Under A r0 > r1 > r2; under B r1 > r0 = r2: only (r0, r1) swaps, a tie is no swap.
    tables = {
        "A": np.array([[0.9, 0.9], [0.8, 0.8], [0.1, 0.1]]),
        "B": np.array([[0.2, 0.2], [0.4, 0.0], [0.2, 0.2]]),
    }
    tables["B"][1] = [0.9, 0.1]
    means, scores = write_campaign(tmp_path, tables)
    correlate(
        means, out=tmp_path / "c.csv", statistics=["tau_b"], scores=scores,
        swaps=tmp_path / "s.parquet", samples=1000, seed=1,
    )  # fmt: skip
    table = arrow.read(tmp_path / "s.parquet").to_pylist()
    assert [(row["measure_a"], row["measure_b"], row["run_a"], row["run_b"]) for row in table] == [
        ("A", "B", "r0", "r1")
    ]
    assert table[0]["difference_a"] == pytest.approx(0.1)
    assert table[0]["difference_b"] == pytest.approx(-0.3)
    # Two topics drawn: B puts r1 above r0 unless the second topic comes twice (1/4).
    assert table[0]["share"] == pytest.approx(0.75, abs=0.05)
    assert {row["swaps"] for row in read_rows(tmp_path / "c.csv")} == {"1"}


def test_a_sample_that_ties_two_runs_does_not_swap_them() -> None:
    # A tells r0 from r1 in the second topic alone, B in both: where only the first is drawn,
    # A has them tied.
    a, b = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 1.0]])
    swapped = Swaps(*(np.array([number]) for number in (0, 1, 0, 1)))
    share = bootstrap_support(swapped, [a, b], samples=400, seed=2)
    drawn = np.random.default_rng(2).multinomial(2, [0.5, 0.5], size=400)
    tied = np.mean(drawn[:, 1] == 0)
    assert 0.2 < tied < 0.3
    assert share.tolist() == [1 - tied]


def test_swaps_are_the_discordant_pairs() -> None:
    rng = np.random.default_rng(8)
    values = rng.integers(6, size=(3, 12)) / 6
    found = find_swaps(values)
    expected = [
        (a, b, i, j)
        for a, b in itertools.combinations(range(3), 2)
        for i, j in itertools.permutations(range(12), 2)
        if values[a, i] > values[a, j] and values[b, i] < values[b, j]
    ]
    assert list(zip(found.a, found.b, found.run_a, found.run_b, strict=True)) == expected
    table = count_swaps(found, measures=3)
    for a, b in itertools.permutations(range(3), 2):
        assert table[a, b] == sum({one[0], one[1]} == {a, b} for one in expected) > 0


def test_swaps_are_counted_again_as_a_plain_loop_does(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    values = [np.round(rng.random((9, 6)), 1) for _ in range(4)]  # some means tie
    found = find_swaps(np.array([one.mean(axis=1) for one in values]))
    samples = 100  # more than a word of 64 bits, and not a whole number of them
    drawn = np.random.default_rng(3).multinomial(6, np.full(6, 1 / 6), size=samples) / 6
    means = [np.round(drawn @ one.T, 12) for one in values]
    expected = [
        np.mean((means[a][:, i] - means[a][:, j]) * (means[b][:, i] - means[b][:, j]) < 0)
        for a, b, i, j in zip(found.a, found.b, found.run_a, found.run_b, strict=True)
    ]
    assert len(expected) > 50
    assert bootstrap_support(found, values, samples=samples, seed=3).tolist() == expected
    monkeypatch.setattr(swaps, "MAX_BYTES", 1)  # a pair of runs at a time
    monkeypatch.setattr(swaps, "SWAPS_BLOCK", 2)
    assert bootstrap_support(found, values, samples=samples, seed=3).tolist() == expected


def test_quantiles_equal_those_of_numpy() -> None:
    rng = np.random.default_rng(4)
    rows = rng.random((40, 101))
    rows[np.arange(101) >= rng.integers(0, 102, size=(40, 1))] = np.nan
    rows.sort(axis=1)
    number = 101 - np.isnan(rows).sum(axis=1)
    for level in (0.0, 0.025, 0.5, 0.975, 1.0):
        found = quantile(rows, number, level)
        for one, row, size in zip(found, rows, number, strict=True):
            expected = np.quantile(row[:size], level) if size else np.nan
            assert one == expected or (np.isnan(one) and np.isnan(expected))


def test_little_memory_gives_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    values = [rng.random((5, 8)) for _ in range(4)]
    matrices = {one.name: one.between for one in (tau_b, tau_ap, rbo_a)}

    def found() -> dict[str, list[np.ndarray]]:
        made = bootstrap(values, matrices=matrices, one_way=["tau_ap"], samples=30, seed=1)
        return {name: list(ends) for name, ends in made.items()}

    whole = found()
    monkeypatch.setattr(bootstrapping, "MAX_VALUES", 60)  # two pairs of measures at a time
    monkeypatch.setattr(bootstrapping, "SORT_BLOCK", 1)
    monkeypatch.setattr(bootstrapping, "BLOCK", 1)
    for name, ends in found().items():
        for one, other in zip(ends, whole[name], strict=True):
            assert np.isnan(np.diagonal(one)).all()
            assert one == pytest.approx(other, abs=1e-12, nan_ok=True)
    lower = whole["tau_ap"][0]
    assert not np.allclose(lower, lower.T, equal_nan=True)  # which measure is the reference matters


def test_the_statistics_that_are_symmetric_are_declared_so() -> None:
    values = np.random.default_rng(2).integers(5, size=(6, 9)) / 5
    for one in STATISTICS.values():
        matrix = one.between(SystemRankings(values))
        assert np.allclose(matrix, matrix.T, atol=1e-12) is not one.one_way, one.name


def test_equal_sums_in_another_order_stay_tied(tmp_path: Path) -> None:
    means = write_means(
        tmp_path, f"run,team,A,B\nr1,t,{0.1 + 0.2 + 0.3},1\nr2,t,{0.3 + 0.2 + 0.1},2\n"
    )
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    correlate(means, out=tmp_path / "c.csv", statistics=["tau_a"])
    assert [row["tau_a"] for row in read_rows(tmp_path / "c.csv")] == ["0.000000", "0.000000"]


# ---- many runs, in C ----------------------------------------------------------------------------


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few runs there are, they are compared as many are."""
    if orders.extension() is None:
        pytest.fail("the orders of many runs are not compiled; run `make setup`")
    monkeypatch.setattr(orders, "MIN_RUNS", 2)


@pytest.mark.parametrize("levels", [0, 1, 2, 9, 60])
@pytest.mark.parametrize(("measures", "runs"), [(2, 2), (3, 7), (5, 64), (4, 65), (3, 200)])
def test_many_runs_are_compared_as_few_are(
    monkeypatch: pytest.MonkeyPatch, compiled: None, measures: int, runs: int, levels: int
) -> None:
    """Every statistic, with two samples; 0 levels: no ties, 1: all tied."""
    rng = np.random.default_rng(runs + levels)
    shape = (2, measures, runs)
    scores = rng.integers(levels, size=shape) / 7 if levels else rng.normal(size=shape)
    assert SystemRankings(scores).many
    found = {name: STATISTICS[name].between(SystemRankings(scores)) for name in STATISTICS}
    monkeypatch.setattr(orders, "MIN_RUNS", runs + 1)
    assert not SystemRankings(scores).many
    for name, values in found.items():
        expected = STATISTICS[name].between(SystemRankings(scores))
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12, err_msg=name)
        if name in ("tau_a", "tau_b", "spearman"):  # made of whole numbers
            assert values.tobytes() == expected.tobytes()


@pytest.mark.parametrize("levels", [3, 20, 10_000])
def test_kendalls_tau_of_many_runs_equals_scipy(compiled: None, levels: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = np.random.default_rng(levels).integers(levels, size=(2, 300)) / 3
    expected = stats.kendalltau(x, y).statistic
    assert tau_b(x, y) == pytest.approx(expected, abs=1e-12)


def test_places_of_tied_runs() -> None:
    first, size = orders.places(np.array([[0.5, 0.1, 0.5, 0.9, 0.1, 0.1]]))
    assert first.tolist() == [[1, 3, 1, 0, 3, 3]]
    assert size.tolist() == [[2, 3, 2, 1, 3, 3]]


def test_what_are_no_places_is_refused(compiled: None) -> None:
    module = orders.extension()
    assert module is not None
    weight, out = np.ones((1, 3)), np.empty((1, 1))
    for first, size in (([0, 1, 3], [1, 1, 1]), ([0, 0, 2], [1, 1, 1]), ([-1, 1, 2], [1, 1, 1]),
                        ([0, 1, 1], [1, 2, 1]), ([0, 1, 2], [1, 1, 0])):  # fmt: skip
        given = np.array([first], np.int32), np.array([size], np.int32)
        with pytest.raises(ValueError, match="no places of that many runs"):
            module.weighed(*given, 1, 3, weight, out, out.copy())
        with pytest.raises(ValueError, match="no places of that many runs"):
            module.overlaps(*given, 1, 3, weight[0], 0, out)
    with pytest.raises(ValueError, match="no places of that many runs"):
        module.weighed(*given, 2, 3, weight, out, out.copy())


def test_ranks_as_by_comparing_every_two() -> None:
    """Ties and runs without a score included."""
    scores = np.random.default_rng(5).integers(9, size=(4, 70)) / 7.0
    scores[1, ::9] = np.nan
    above = scores[:, None, :] > scores[:, :, None]
    assert ranks(scores).tolist() == (1 + above.sum(axis=-1)).tolist()
