"""Statistics on what campaigns published: official per-topic scores of CLEF eHealth 2015."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from pipeline.measures.score_table import read
from pipeline.statistics.correlation.statistics.depths import ubire_overlap
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.statistics.significance import pairwise
from pipeline.statistics.significance import step as lib
from tests.builders import write_scores

pytestmark = pytest.mark.real

Official = dict[str, dict[tuple[str, str], float]]


@pytest.fixture(scope="module")
def official(data: Path) -> Official:
    """ubire's values of all 110 runs: measure -> (run, topic) -> value."""
    found: Official = {}
    with gzip.open(data / "clef2015/official.tsv.gz", "rt") as file:
        for line in file:
            run, tool, measure, topic, value = line.rstrip("\n").split("\t")
            if tool == "ubire":
                found.setdefault(measure, {})[run, topic] = float(value)
    return found


def means(official: Official, measure: str) -> np.ndarray:
    values = official[measure]
    return np.array([values[key] for key in sorted(values) if key[1] == "all"])


def scores(official: Official, measure: str) -> np.ndarray:
    """The matrix of runs by topics."""
    values = official[measure]
    runs = sorted({run for run, _ in values})
    topics = sorted({topic for _, topic in values} - {"all"})
    return np.array([[values[run, topic] for topic in topics] for run in runs])


@pytest.mark.parametrize(
    ("other", "kendall", "printed"),
    [("uRBP(0.8)", 0.8666, 0.8168), ("uRBPgr(0.8)", 0.9077, 0.8866)],
)
def test_correlations_as_printed(
    official: Official, other: str, kendall: float, printed: float
) -> None:
    """Zuccon (ECIR 2016): Kendall's tau exactly; its "tau_AP" is ubire's overlap, up to ties."""
    x, y = means(official, "RBP(0.8)"), means(official, other)
    assert len(x) == 110
    assert round(tau_b(x, y), 4) == kendall
    assert ubire_overlap(x, y) == pytest.approx(printed, abs=2e-4)
    assert abs(tau_ap(x, y) - printed) > 0.015  # AP correlation is another number


def test_all_pairs_of_110_runs_equal_the_libraries(official: Official) -> None:
    from scipy.stats import ttest_rel
    from statsmodels.stats.multitest import multipletests

    values = scores(official, "RBP(0.8)")
    runs, topics = values.shape
    assert (runs, topics) == (110, 66)
    pairs = pairwise.differences(values)
    p, lower, upper = pairwise.paired_t(pairs, topics=topics, alpha=0.05)
    first, second = values[pairs.first], values[pairs.second]
    expected = ttest_rel(first, second, axis=1)
    same = (first == second).all(axis=1)
    assert (p[same] == 1).all()
    level = pairs.mean == 0
    assert p[~level] == pytest.approx(expected.pvalue[~level], rel=1e-7)
    ends = expected.confidence_interval(0.95)
    assert lower == pytest.approx(ends.low, abs=1e-12)
    assert upper == pytest.approx(ends.high, abs=1e-12)
    assert pairwise.holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-12)
    assert pairwise.benjamini_hochberg(p) == pytest.approx(
        multipletests(p, method="fdr_bh")[1], abs=1e-12
    )

    flipped = pairwise.permutation(values, pairs, flips=10_000, seed=1)
    assert (flipped[same] == 1).all()
    assert np.abs(flipped - p).mean() < 0.01  # 66 topics: both tests agree
    assert np.corrcoef(flipped, p)[0, 1] > 0.999


@pytest.mark.slow
def test_the_whole_step_on_110_runs(official: Official, tmp_path: Path) -> None:
    values = scores(official, "uRBP(0.8)")
    write_scores(tmp_path / "s.parquet", "uRBP(p=0.8)", values)
    lib.compare(
        read(tmp_path / "s.parquet"),
        pairs=tmp_path / "s.csv",
        runs=tmp_path / "runs.csv",
        summary=tmp_path / "summary.csv",
        alpha=0.05,
        permutations=10_000,
        samples=10_000,
        seed=1,
    )
    with (tmp_path / "summary.csv").open(newline="") as file:
        (summary,) = csv.DictReader(file)
    power = {test: float(summary[f"power_{test}"]) for test in lib.TESTS}
    assert summary["pairs"] == "5995"
    # Corrections may only lose findings; the tests of all pairs together lose the most.
    assert power["t"] > power["t_bh"] > power["t_holm"] > 0
    assert power["permutation"] > power["permutation_bh"] > power["permutation_holm"] > 0
    assert power["permutation"] == pytest.approx(power["t"], abs=0.02)
    assert 0 < power["tukey"] < power["t_bh"]
    shares = {part: float(summary[f"share_{part}"]) for part in lib.SOURCES}
    assert shares["topic"] > shares["system"] > 0.05  # topics differ more than systems do
    with (tmp_path / "runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    official_means = np.sort(means(official, "uRBP(0.8)"))[::-1]
    assert [float(row["mean"]) for row in rows] == pytest.approx(official_means, abs=1e-4)
    for row in rows:
        for way in ("t", "bootstrap"):
            assert float(row[f"{way}_lower"]) < float(row["mean"]) < float(row[f"{way}_upper"])
