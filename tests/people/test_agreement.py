"""Agreement with people: by hand, and against scipy and statsmodels."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

from pipeline.config.people import People
from pipeline.people.agreement import ByTopic, compare, correlations, verdicts, wilson
from pipeline.people.reading import PreferencePairs, pairs_of
from pipeline.people.step import compare_with_people
from pipeline.statistics.correlation.statistics.pairs import spearman, tau_b
from pipeline.storage.arrays import Floats
from pipeline.storage.arrow import coded, numbers

SETTINGS = People(preferences=(), satisfaction=(), samples=2000, confidence=0.95, seed=1)


def scores(folder: Path, measure: str, values: list[list[float]]) -> Path:
    """A score table of runs a, b, c by topics."""
    runs, topics = len(values), len(values[0])
    table = pa.table(
        {
            "run": coded(np.repeat(np.arange(runs), topics), list("abc")[:runs]),
            "topic": coded(np.tile(np.arange(topics), runs), [str(t + 1) for t in range(topics)]),
            "measure": coded(np.zeros(runs * topics), [measure]),
            "value": numbers(np.array(values).ravel()),
        }
    )
    path = folder / f"{measure}.parquet"
    pq.write_table(table, path)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def asked(
    folder: Path, *, preferences: str = "", satisfaction: str = ""
) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    files = []
    for text in (preferences, satisfaction):
        path = folder / f"{len(files)}.txt"
        path.write_text(text)
        files.append([path] if text else [])
    compare_with_people(
        [
            scores(folder, "good", [[0.9, 0.1], [0.5, 0.2], [0.1, 0.2]]),
            scores(folder, "flat", [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]),
            scores(folder, "poor", [[0.1, 0.9], [0.5, 0.2], [0.9, 0.1]]),
        ],
        preferences=files[0],
        satisfaction=files[1],
        dimensions={"good": ["t", "u"], "flat": ["t"], "poor": ["u"]},
        settings=SETTINGS,
        measures=folder / "measures.csv",
        comparisons=folder / "comparisons.csv",
    )
    return rows(folder / "measures.csv"), rows(folder / "comparisons.csv")


def test_ties_of_people_and_of_measures_by_hand(tmp_path: Path) -> None:
    """Five pairs, of which people tie one; `good` ties b and c on topic 2."""
    text = "1 a b a\n1 a c a\n1 b c tie\n2 a b b\n2 b c c\n"
    found, compared = asked(tmp_path, preferences=text)
    counts = ("topics", "pairs", "agree", "tie", "disagree", "people_tie", "tie_too", "agreement")
    assert {row["measure"]: [float(row[key]) for key in counts] for row in found} == {
        "good": [2, 4, 3, 1, 0, 1, 0, 0.875],
        "flat": [2, 4, 0, 4, 0, 1, 1, 0.5],
        "poor": [2, 4, 0, 0, 4, 1, 0, 0],
    }
    assert [row["dimensions"] for row in found] == ["t + u", "t", "u"]
    assert {row["tau_b"] for row in found} == {""}
    # Topic 1: 2 of 2, topic 2: 1.5 of 2, so that resampled topics give .75 to 1.
    assert (float(found[0]["lower"]), float(found[0]["upper"])) == (0.75, 1)
    first = compared[0]
    assert (first["measure_a"], first["measure_b"]) == ("good", "flat")
    assert [float(first[key]) for key in ("value_a", "value_b", "difference")] == [
        0.875, 0.5, 0.375,
    ]  # fmt: skip
    assert (first["only_a"], first["only_b"]) == ("3", "0")


def test_ratings_by_hand(tmp_path: Path) -> None:
    """Topic 1 is rated a > b > c as `good` has it; on topic 2 only two runs, b above a."""
    found, compared = asked(tmp_path, satisfaction="1 a 5\n1 b 4\n1 c 1\n2 a 2\n2 b 3\n")
    assert [row["people"] for row in found] == ["satisfaction"] * 3
    shown = {row["measure"]: row for row in found}
    assert [int(shown["good"][key]) for key in ("agree", "tie", "disagree")] == [4, 0, 0]
    assert [int(shown["poor"][key]) for key in ("agree", "tie", "disagree")] == [0, 0, 4]
    for name, value in {"good": 1, "flat": 0, "poor": -1}.items():
        assert float(shown[name]["tau_b"]) == float(shown[name]["spearman"]) == value
    assert {row["statistic"] for row in compared} == {"agreement", "tau_b"}


def random_values(seed: int, *, runs: int = 6, topics: int = 9) -> Floats:
    return np.random.default_rng(seed).integers(0, 5, (runs, topics)).astype(float)


def test_correlations_are_scipys() -> None:
    values, ratings = [random_values(1), random_values(2)], random_values(3)
    ratings[1, 2] = ratings[4, 5] = np.nan
    ratings[:, 7] = 3  # no order to agree with
    values[1][:, 0] = 2  # a measure that ties all runs has told nothing
    for statistic, theirs in ((tau_b, stats.kendalltau), (spearman, stats.spearmanr)):
        found = correlations(values, ratings, statistic=statistic)
        for at, one in enumerate(values):
            wanted = []
            for topic in (0, 1, 2, 3, 4, 5, 6, 8):
                rated = ~np.isnan(ratings[:, topic])
                tied = at == 1 and topic == 0
                value = 0 if tied else theirs(one[rated, topic], ratings[rated, topic])[0]
                wanted.append(value)
            assert found.gained[at] == pytest.approx(wanted)
            assert found.figure[at] == pytest.approx(np.mean(wanted))


def test_verdicts_ignore_rounding_dust() -> None:
    pairs = PreferencePairs(*(np.array([value]) for value in (0, 0, 1, 1)))
    assert verdicts([np.array([[0.1 + 0.2], [0.3]])], pairs).outcome.tolist() == [[0]]


@pytest.mark.parametrize(("agreed", "pairs"), [*product((0, 3, 7.5, 20), (20, 41))])
def test_wilson_is_that_of_statsmodels(agreed: float, pairs: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    wanted = proportion_confint(agreed, pairs, alpha=0.1, method="wilson")
    found = wilson(np.array([agreed]), pairs, confidence=0.9)
    assert [float(end[0]) for end in found] == pytest.approx(wanted, abs=1e-12)


def test_the_paired_test_is_that_of_scipy() -> None:
    """All 2^9 exchanges, by scipy; ours draws them, so the two p differ by sampling alone."""
    rng = np.random.default_rng(5)
    found = ByTopic(rng.integers(0, 9, (2, 9)) / 2, np.full(9, 4.0))
    _, ours = compare(found, samples=50_000, confidence=0.95, seed=1)
    theirs = stats.permutation_test(
        (found.gained[0], found.gained[1]),
        lambda a, b: float(np.sum(a - b)),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert ours["p"][0] == pytest.approx(theirs.pvalue, abs=0.01)
    assert ours["difference"][0] == found.figure[0] - found.figure[1]


def test_intervals_are_over_topics_not_over_pairs() -> None:
    """A thousand pairs of one topic are worth one topic: the interval cannot be told from it."""
    one = ByTopic(np.array([[1.0, 0.0]]), np.array([1.0, 1.0]))
    many = ByTopic(np.array([[1000.0, 0.0]]), np.array([1000.0, 1000.0]))
    for seed in (1, 2):
        assert np.array_equal(
            one.resample(samples=99, seed=seed), many.resample(samples=99, seed=seed)
        )


def test_a_measure_alone_has_nobody_to_be_compared_with() -> None:
    _, found = compare(ByTopic(np.ones((1, 3)), np.ones(3)), samples=1000, confidence=0.95, seed=1)
    assert len(found["p"]) == len(found["p_holm"]) == len(found["difference"]) == 0


def test_a_rating_and_the_preference_it_stands_for_agree_alike() -> None:
    ratings = random_values(7)
    values = [random_values(8), random_values(9)]
    pairs = pairs_of(ratings)
    assert len(pairs.sign) == 9 * 15
    by_pair = verdicts(values, pairs)
    assert by_pair.tied_pairs == int((pairs.sign == 0).sum()) > 0
    swapped = PreferencePairs(pairs.topic, pairs.second, pairs.first, -pairs.sign)
    assert np.array_equal(by_pair.outcome, verdicts(values, swapped).outcome)
