"""Significance: against scipy and statsmodels, by hand, by brute force, and on null data."""

import csv
import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.measures.score_table import read
from pipeline.statistics.letters import letters
from pipeline.statistics.significance import pairwise, resampling
from pipeline.statistics.significance import step as lib
from pipeline.statistics.significance.pairwise import Differences
from tests.builders import write_scores


def examined(values: np.ndarray) -> lib.Significance:
    names = [f"r{n}" for n in range(len(values))]
    return lib.examine(names, values, alpha=0.05, permutations=999, samples=1000, seed=1)


def campaign(runs: int, topics: int, *, seed: int, spread: float = 0.1) -> np.ndarray:
    """Scores with effects of systems and topics, in [0, 1] and rounded, so that some tie."""
    rng = np.random.default_rng(seed)
    effects = spread * rng.normal(size=(runs, 1)) + 0.2 * rng.normal(size=(1, topics))
    return np.round(np.clip(0.4 + effects + 0.1 * rng.normal(size=(runs, topics)), 0, 1), 2)


# ---- against libraries ------------------------------------------------------------------------


def test_paired_t_and_its_interval_equal_scipy() -> None:
    from scipy.stats import ttest_rel

    values = campaign(9, 25, seed=1)
    pairs = pairwise.differences(values)
    p, lower, upper = pairwise.paired_t(pairs, topics=25, alpha=0.1)
    assert len(p) == math.comb(9, 2)
    for place, (i, j) in enumerate(itertools.combinations(range(9), 2)):
        expected = ttest_rel(values[i], values[j])
        assert (pairs.first[place], pairs.second[place]) == (i, j)
        assert p[place] == pytest.approx(expected.pvalue, rel=1e-9)
        ends = expected.confidence_interval(0.9)
        assert (lower[place], upper[place]) == pytest.approx((ends.low, ends.high), abs=1e-12)


def test_permutation_equals_scipy_and_every_flip() -> None:
    """With few topics every flip can be tried: the drawn p must be within its error."""
    from scipy.stats import permutation_test

    values = campaign(4, 10, seed=4)
    pairs = pairwise.differences(values)
    flips = 100_000
    p = pairwise.permutation(values, pairs, flips=flips, seed=1)
    for place, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        gap = values[i] - values[j]
        signs = np.array(list(itertools.product((-1, 1), repeat=10)))
        exact = np.mean(np.abs(signs @ gap) >= abs(gap.sum()) - 1e-12)
        error = 4 * math.sqrt(exact * (1 - exact) / flips) + 1 / flips
        assert p[place] == pytest.approx(exact, abs=error)
        found = permutation_test(
            (values[i], values[j]),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        ).pvalue
        assert exact == pytest.approx(found, abs=1e-12)


def test_permutation_counts_as_a_plain_loop_does() -> None:
    values = campaign(6, 14, seed=2)
    pairs = pairwise.differences(values)
    flips = 5000  # more than a block
    p = pairwise.permutation(values, pairs, flips=flips, seed=9)
    rng = np.random.default_rng(9)
    drawn = []
    for size in (2048, 2048, 904):
        drawn.append(2 * rng.integers(2, size=(14, size)) - 1)
    signs = np.concatenate(drawn, axis=1)
    for place, (i, j) in enumerate(itertools.combinations(range(6), 2)):
        gap = np.round(100 * (values[i] - values[j])).astype(int)  # exact in whole numbers
        count = sum(abs(int(gap @ signs[:, b])) >= abs(int(gap.sum())) for b in range(flips))
        assert p[place] == (1 + count) / (flips + 1)


def test_anova_equals_statsmodels() -> None:
    import pandas as pd
    import statsmodels.api as sm
    from statsmodels.formula.api import ols

    values = campaign(6, 15, seed=3)
    long = pd.DataFrame(
        [(str(i), str(j), values[i, j]) for i in range(6) for j in range(15)],
        columns=["system", "topic", "score"],
    )
    expected = sm.stats.anova_lm(ols("score ~ C(system) + C(topic)", long).fit(), typ=1)
    rows = {"system": "C(system)", "topic": "C(topic)", "residual": "Residual"}
    total = expected["sum_sq"].sum()
    for name, line in lib.anova(values).items():
        row = expected.loc[rows[name]]
        assert line.squares == pytest.approx(row["sum_sq"], rel=1e-9)
        assert line.freedom == row["df"]
        assert line.mean_square == pytest.approx(row["mean_sq"], rel=1e-9)
        assert line.share == pytest.approx(row["sum_sq"] / total, rel=1e-9)
        if name == "residual":
            assert line.f is None
        else:
            assert line.f == pytest.approx(row["F"], rel=1e-9)
            assert line.p == pytest.approx(row["PR(>F)"], rel=1e-6)


def test_variance_components_are_those_the_data_were_made_with() -> None:
    rng = np.random.default_rng(12)
    values = (
        0.1 * rng.normal(size=(400, 1))
        + 0.2 * rng.normal(size=(1, 400))
        + 0.3 * rng.normal(size=(400, 400))
    )
    shares = {name: line.component for name, line in lib.anova(values).items()}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares == pytest.approx(
        {"system": 1 / 14, "topic": 4 / 14, "residual": 9 / 14}, abs=0.03
    )


@pytest.mark.parametrize(
    ("correct", "method"), [(pairwise.holm, "holm"), (pairwise.benjamini_hochberg, "fdr_bh")]
)
def test_corrections_equal_statsmodels(correct, method) -> None:  # type: ignore[no-untyped-def]
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(6)
    for size in (1, 2, 7, 300):
        p = np.round(rng.random(size) ** 3, 2)  # with ties
        assert correct(p) == pytest.approx(multipletests(p, method=method)[1], abs=1e-12)
    assert correct(np.empty(0)).size == 0


def test_mean_intervals_equal_scipy() -> None:
    from scipy import stats

    values = campaign(3, 20, seed=8)
    lower, upper = pairwise.by_t(values, alpha=0.05)
    for row, low, high in zip(values, lower, upper, strict=True):
        ends = stats.ttest_1samp(row, 0).confidence_interval(0.95)
        assert (low, high) == pytest.approx((ends.low, ends.high), abs=1e-12)
    lower, upper = pairwise.by_bootstrap(values, samples=20_000, alpha=0.05, seed=1)
    for row, low, high in zip(values, lower, upper, strict=True):
        found = stats.bootstrap(
            (row,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
        ).confidence_interval
        assert (low, high) == pytest.approx((found.low, found.high), abs=0.003)


def test_effect_sizes_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, deviation 1. Two-way residuals are half their deviations from
    # the mean: squares 4 * 1/4 = 1 over 2 degrees of freedom.
    values = np.array([[2.0, 4.0, 6.0], [1.0, 2.0, 3.0]])
    found = examined(values)
    assert found.pairs["effect"] == pytest.approx([2.0])
    assert found.pairs["effect_residual"] == pytest.approx([2 / math.sqrt(0.5)])


# ---- randomised Tukey HSD -----------------------------------------------------------------------


def test_tukey_equals_every_shuffle() -> None:
    """Three runs, three topics: all 216 shuffles give the exact distribution of the range."""
    values = np.array([[0.1, 0.2, 0.4], [0.3, 0.3, 0.5], [0.6, 0.2, 0.9]])
    pairs = pairwise.differences(values)
    every = [
        np.ptp(np.stack(columns, axis=1).sum(axis=1)) / 3
        for columns in itertools.product(
            *([np.array(p) for p in itertools.permutations(values[:, t])] for t in range(3))
        )
    ]
    assert len(every) == 216
    size = 50_000
    found = pairwise.tukey(pairwise.ranges(values, permutations=size, seed=3), pairs)
    for p, gap in zip(found, np.abs(pairs.mean), strict=True):
        exact = np.mean(np.array(every) >= gap - 1e-12)
        assert p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / size) + 1 / size)


def test_the_critical_difference_parts_what_tukey_parts() -> None:
    values = campaign(12, 20, seed=5)
    pairs = pairwise.differences(values)
    largest = pairwise.ranges(values, permutations=999, seed=1)
    p = pairwise.tukey(largest, pairs)
    for alpha in (0.01, 0.05, 0.2):
        edge = pairwise.critical(largest, alpha=alpha)
        gap = np.abs(pairs.mean)
        clear = np.abs(gap - edge) > 1e-9
        assert ((p <= alpha) == (gap > edge))[clear].all()
        assert 0 < (p <= alpha).sum() < len(p)
    assert pairwise.critical(largest, alpha=0.0001) == math.inf  # 999 shuffles cannot reach it


def apart_of(p: np.ndarray, pairs: Differences, runs: int, alpha: float) -> np.ndarray:
    apart = np.zeros((runs, runs), bool)
    apart[pairs.first, pairs.second] = apart[pairs.second, pairs.first] = p <= alpha
    return apart


@pytest.mark.parametrize("seed", range(5))
def test_two_runs_share_a_letter_if_and_only_if_not_told_apart(seed: int) -> None:
    values = campaign(15, 12, seed=seed, spread=0.2)
    values[3] = values[7]
    pairs = pairwise.differences(values)
    apart = apart_of(
        pairwise.tukey(pairwise.ranges(values, permutations=999, seed=1), pairs), pairs, 15, 0.05
    )
    assert apart.any()
    marks = letters(pairwise.groups(values.mean(axis=1), apart), runs=15)
    for i, j in itertools.combinations(range(15), 2):
        assert bool(set(marks[i]) & set(marks[j])) == (not apart[i, j])
    best = int(np.argmax(values.mean(axis=1)))
    assert "a" in marks[best]
    # No letter is another's subset: none could be left out.
    groups = [
        {i for i in range(15) if letter in marks[i]} for letter in sorted(set("".join(marks)))
    ]
    assert not any(a < b for a, b in itertools.permutations(groups, 2))


def test_more_than_26_groups() -> None:
    alone = pairwise.groups(-np.arange(30.0), ~np.eye(30, dtype=bool))
    marks = letters(alone, runs=30)
    assert marks[:2] + marks[25:28] == ["a", "b", "z", "a2", "b2"]
    near = np.abs(np.subtract.outer(np.arange(30), np.arange(30))) > 1
    marks = letters(pairwise.groups(-np.arange(30.0), near), runs=30)
    assert marks[0] == "a"
    assert marks[27] == "a2b2"


# ---- edges ------------------------------------------------------------------------------------


def test_identical_runs_have_p_one_everywhere() -> None:
    values = campaign(5, 30, seed=2)
    values[4] = values[1]
    values[2] = values[1][::-1]  # the same mean on other topics: level, not identical
    found = examined(values)
    named = [{a, b} for a, b in zip(found.pairs["run_a"], found.pairs["run_b"], strict=True)]
    same, level = named.index({"r1", "r4"}), named.index({"r1", "r2"})
    assert [found.pairs[f"p_{test}"][same] for test in lib.TESTS] == [1.0] * len(lib.TESTS)
    numbers = ("effect", "effect_residual", "lower", "upper")
    assert [found.pairs[name][same] for name in numbers] == [0, 0, 0, 0]
    assert found.pairs["p_t"][level] == found.pairs["p_tukey"][level] == 1


def test_a_difference_the_same_on_every_topic() -> None:
    base = campaign(1, 20, seed=1)[0]
    values = np.stack([base + 0.1, base])
    p, lower, upper = pairwise.paired_t(pairwise.differences(values), topics=20, alpha=0.05)
    assert p[0] == 0
    assert (lower[0], upper[0]) == pytest.approx((0.1, 0.1))
    flips = pairwise.permutation(values, pairwise.differences(values), flips=9999, seed=1)
    assert flips[0] == pytest.approx(2 / 10_000, abs=2e-4)  # never 0


@pytest.mark.parametrize("shape", [(1, 5), (2, 1), (1, 1), (3, 4)])
def test_small_and_level_campaigns_do_not_crash(shape: tuple[int, int], tmp_path: Path) -> None:
    write_scores(tmp_path / "s.parquet", "M", np.zeros(shape))
    rows, told = compared(tmp_path)
    assert len(rows) == math.comb(shape[0], 2)
    assert all(row["p_permutation"] == row["p_tukey"] == "1" for row in rows)
    assert all(row["p_t"] == ("1" if shape[1] > 1 else "") for row in rows)
    assert (int(told["runs"]), int(told["topics"])) == shape


def test_enough_flips_for_holm() -> None:
    assert lib.flip_count(10, alpha=0.05, permutations=10_000) == 10_000
    assert lib.flip_count(2278, alpha=0.05, permutations=10_000) == 91_120
    assert 2278 / (91_120 + 1) < 0.05
    for runs in (142, 376):  # 142 was out of reach when flips stopped at 200,000
        pairs = math.comb(runs, 2)
        assert pairs / (lib.flip_count(pairs, alpha=0.05, permutations=10_000) + 1) < 0.05
    for runs in (377, 1000):  # 200,200 flips of a thousand runs would not reach it either
        pairs = math.comb(runs, 2)
        assert lib.flip_count(pairs, alpha=0.05, permutations=10_000) == 10_000
    assert lib.flip_count(10**9, alpha=0.05, permutations=10_000) == 10_000


def test_where_holm_is_out_of_reach_it_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """28 pairs need 559 flips for 0.05: the smallest p is then 1 / 560."""
    write_scores(tmp_path / "s.parquet", "M", campaign(8, 20, seed=3))
    for flips in (559, 558):
        monkeypatch.setattr(lib, "flip_count", lambda *_, flips=flips, **__: flips)
        rows, summary = compared(tmp_path)
        blank = {row["p_permutation_holm"] == "" for row in rows}
        assert blank == {flips == 558}
        assert all(row["p_permutation"] and row["p_permutation_bh"] for row in rows)
        assert (summary["power_permutation_holm"] == "") == (flips == 558)


# ---- compiled and plain -------------------------------------------------------------------------


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does without the compiled loops once called."""
    if resampling.extension() is None:
        pytest.fail("the loops of resampling are not compiled; run `make setup`")
    return lambda: monkeypatch.setattr(resampling, "extension", lambda: None)


@pytest.mark.parametrize(("runs", "topics"), [(1, 3), (2, 1), (3, 7), (8, 20), (17, 66), (70, 9)])
def test_compiled_and_plain_loops_agree_to_the_last_bit(
    plain: Callable[[], None], runs: int, topics: int
) -> None:
    values = np.random.default_rng(runs).beta(1, 2, size=(runs, topics))
    values[runs // 2] = values[0]  # a pair whose sums tie exactly
    pairs = pairwise.differences(values)
    flips, shuffles = 2048 + 300, 777  # neither a whole number of blocks

    def all_of_it() -> tuple[bytes, bytes]:
        p = pairwise.permutation(values, pairs, flips=flips, seed=5)
        return p.tobytes(), pairwise.ranges(values, permutations=shuffles, seed=5).tobytes()

    compiled = all_of_it()
    plain()
    assert all_of_it() == compiled


def test_a_wrong_shape_is_refused_by_the_compiled_loops() -> None:
    module = resampling.extension()
    assert module is not None
    some, count = np.zeros(6), np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="not of that many runs"):
        module.add_far(np.zeros((3, 4)), 4, some, count)  # four runs have six pairs
    with pytest.raises(ValueError, match="not of that many runs"):
        module.add_far(np.zeros((3, 4)), 0, some, count)
    with pytest.raises(ValueError, match="not of that many runs"):
        module.shuffled_ranges(np.zeros((3, 4)), 5, np.zeros(9, np.uint32), some, 0)
    # Too few numbers for a shuffle of both topics: none is done, none used.
    few = np.zeros(5, np.uint32)
    assert module.shuffled_ranges(np.zeros((2, 4)), 4, few, some, 0) == (0, 0)


# ---- null data: the nominal error rate -----------------------------------------------------------


@pytest.mark.slow
def test_nominal_error_rates_on_null_data() -> None:
    """No run differs: each test is wrong in 5 % of the sets, within three standard errors.

    For pairs the share of wrong tests (the error is over the sets, whose pairs go together); for
    what corrects for all pairs the share of sets with any finding. The scores are skewed, with
    topic effects. B = 199 makes 5 % exactly reachable.
    """
    rng = np.random.default_rng(2012)
    sets, runs, topics, alpha = 3000, 5, 14, 0.05
    each: dict[str, list[float]] = {"permutation": [], "t": []}
    any_of: dict[str, list[float]] = {"tukey": [], "holm": []}
    for number in range(sets):
        values = rng.gamma(2.0, size=(1, topics)) + rng.gamma(2.0, size=(runs, topics))
        pairs = pairwise.differences(values)
        flipped = pairwise.permutation(values, pairs, flips=199, seed=number)
        largest = pairwise.ranges(values, permutations=199, seed=number)
        t = pairwise.paired_t(pairs, topics=topics, alpha=alpha)[0]
        each["permutation"].append(float(np.mean(flipped <= alpha)))
        each["t"].append(float(np.mean(t <= alpha)))
        any_of["tukey"].append(float(np.any(pairwise.tukey(largest, pairs) <= alpha)))
        any_of["holm"].append(float(np.any(pairwise.holm(t) <= alpha)))
    for name in ("permutation", "tukey"):
        found = each.get(name) or any_of[name]
        error = float(np.std(found)) / math.sqrt(sets)
        assert np.mean(found) == pytest.approx(alpha, abs=3 * error), name
        assert error < 0.0042  # so that a rate of 6.5 % would be noticed
    assert 0.03 < np.mean(each["t"]) < 0.06  # approximate on skewed data
    assert 0.005 < np.mean(any_of["holm"]) < alpha + 0.02  # conservative


def test_real_differences_are_found() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(4, 40)) + np.array([[1.5], [0], [0], [0]])
    found = examined(values)
    for test in lib.TESTS:  # the first run against each other
        assert (found.pairs[f"p_{test}"][:3] <= 0.05).all(), test


# ---- the step ----------------------------------------------------------------------------------


def compared(folder: Path, name: str = "s") -> tuple[list[dict[str, str]], dict[str, str]]:
    lib.compare(
        read(folder / f"{name}.parquet"),
        pairs=folder / f"{name}.csv",
        runs=folder / f"{name}.runs.csv",
        summary=folder / f"{name}.summary.csv",
        alpha=0.05,
        permutations=999,
        samples=1000,
        seed=1,
    )
    rows = list(csv.DictReader((folder / f"{name}.csv").open(newline="")))
    (summary,) = csv.DictReader((folder / f"{name}.summary.csv").open(newline=""))
    return rows, summary


def test_the_files_of_a_measure(tmp_path: Path) -> None:
    values = campaign(6, 20, seed=11)
    write_scores(tmp_path / "s.parquet", "RBP(p=0.8)", values)
    rows, told = compared(tmp_path)
    means = {f"r{i}": float(values[i].mean()) for i in range(6)}
    assert len(rows) == int(told["pairs"]) == 15
    for row in rows:
        assert float(row["difference"]) >= 0
        gap = means[row["run_a"]] - means[row["run_b"]]
        assert float(row["difference"]) == pytest.approx(gap, abs=1e-6)
        assert float(row["lower"]) <= float(row["difference"]) <= float(row["upper"])
    assert list(rows[0]) == [
        "run_a", "run_b", "difference", "lower", "upper", "effect", "effect_residual",
        *(f"p_{test}" for test in lib.TESTS),
    ]  # fmt: skip
    runs = list(csv.DictReader((tmp_path / "s.runs.csv").open(newline="")))
    assert [row["run"] for row in runs] == sorted(means, key=lambda run: -means[run])
    assert [int(row["rank"]) for row in runs] == [1, 2, 3, 4, 5, 6]
    for test in lib.TESTS:
        found = [float(row[f"p_{test}"]) <= 0.05 for row in rows]
        assert float(told[f"power_{test}"]) == pytest.approx(sum(found) / 15, abs=1e-6)
    assert told["measure"] == "RBP(p=0.8)"

    before = (tmp_path / "s.csv").read_bytes()
    compared(tmp_path)
    assert (tmp_path / "s.csv").read_bytes() == before  # seeded

    write_scores(tmp_path / "z.parquet", "zero", np.zeros((6, 20)))
    compared(tmp_path, "z")
    each = [tmp_path / "s.summary.csv", tmp_path / "z.summary.csv"]
    lib.summarise(each, out=tmp_path / "all.csv")
    first, second = csv.DictReader((tmp_path / "all.csv").open(newline=""))
    assert first == told
    shares = [float(first[f"share_{part}"]) for part in ("system", "topic", "residual")]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    assert (second["power_t"], second["share_system"], second["groups"]) == ("0", "", "1")


def test_a_missing_score_is_refused(tmp_path: Path) -> None:
    values = campaign(3, 4, seed=1)
    values[1, 2] = np.nan
    write_scores(tmp_path / "s.parquet", "M", values)
    with pytest.raises(InputError, match=r"run 'r1' .* topic 't002'"):
        read(tmp_path / "s.parquet")
