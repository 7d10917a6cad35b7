"""Agreement: published examples, our array formulas against the libraries, and swaps by hand."""

import csv
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.pool import Agreement
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.judging.agreement import (
    Formula,
    agree,
    alpha_statistics,
    counts,
    fleiss_statistics,
    pair_statistics,
)
from pipeline.judging.rescoring import pairs, swap, verdicts
from pipeline.labels import tables as labels
from pipeline.storage.arrays import Ints
from tests.builders import GRADED, Judged, campaign, ranked, run_text

NAN = math.nan

# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), data of section C/D: 4
# observers, 12 units; he prints nominal .743, ordinal .815, interval .849.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
# Fleiss (1971) as worked on Wikipedia: 10 subjects, 14 raters, 5 categories, kappa .210.
FLEISS = np.array(
    [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
)  # fmt: skip


def values_of(statistics: tuple[Ints, Formula]) -> dict[str, float]:
    """The statistics of the documents, the same for each of two samples."""
    number, formula = statistics
    found = formula(np.array([number, number], float))
    assert all(one == other for one, other in found.values())
    return {name: float(value) for name, (value, _) in found.items()}


def test_krippendorff_as_published() -> None:
    values = np.arange(1.0, 6.0)
    table = counts(KRIPPENDORFF, values)
    found = values_of(alpha_statistics(table[table.sum(axis=1) > 1], values=values))
    assert {k: round(v, 3) for k, v in found.items()} == {
        "alpha_nominal": 0.743, "alpha_ordinal": 0.815, "alpha_interval": 0.849,
    }  # fmt: skip


def test_fleiss_as_published() -> None:
    assert round(values_of(fleiss_statistics(FLEISS))["fleiss"], 3) == 0.210


@pytest.mark.parametrize(
    ("table", "name", "kappa"),
    [
        ([[20, 5], [10, 15]], "kappa", 0.4),  # the example of Wikipedia's article on Cohen's kappa
        # By hand: 3 of 10 are one step apart; under the margins (5, 3, 2) and (4, 4, 2) chance
        # would be (5 * 8 + 3 * 6 + 2 * 12) / 100 of a step apart, and 1.14 steps squared.
        ([[4, 1, 0], [0, 2, 1], [0, 1, 1]], "kappa_linear", 1 - 0.3 / 0.82),
        ([[4, 1, 0], [0, 2, 1], [0, 1, 1]], "kappa_quadratic", 1 - 0.3 / 1.18),
    ],
)
def test_kappa_by_hand(table: list[list[int]], name: str, kappa: float) -> None:
    size = len(table)
    found = pair_statistics(
        np.array(table), values=np.arange(size * 1.0), relevant=np.arange(size) > 0
    )
    assert values_of(found)[name] == pytest.approx(kappa)


@pytest.mark.parametrize("seed", range(5))
def test_our_array_formulas_equal_the_libraries(seed: int) -> None:
    import krippendorff
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    chance = np.random.default_rng(seed)
    values = np.array([0.0, 1.0, 2.0, 5.0])
    square = chance.integers(0, 20, (4, 4))
    ours = values_of(pair_statistics(square, values=values, relevant=values > 0))
    for name, kind in (
        ("kappa", None),
        ("kappa_linear", "linear"),
        ("kappa_quadratic", "quadratic"),
    ):
        weights = None if kind is None else values
        library = cohens_kappa(square, weights=weights, wt=kind, return_results=False)
        assert ours[name] == pytest.approx(library), name
    assert ours["raw"] == pytest.approx(np.trace(square) / square.sum())
    assert ours["jaccard"] == pytest.approx(square[1:, 1:].sum() / (square.sum() - square[0, 0]))
    table = chance.multinomial(4, [0.4, 0.3, 0.2, 0.1], 30)
    table[:5] = chance.multinomial(2, [0.25] * 4, 5)
    for name, alpha in values_of(alpha_statistics(table, values=values)).items():
        library = krippendorff.alpha(
            value_counts=table, value_domain=values.tolist(),
            level_of_measurement=name.removeprefix("alpha_"),
        )  # fmt: skip
        assert alpha == pytest.approx(library), name
    fleiss = values_of(fleiss_statistics(table[5:]))["fleiss"]
    assert fleiss == pytest.approx(fleiss_kappa(table[5:], method="fleiss"))


def compared(folder: Path, *texts: str, scale: Scale = GRADED, **given: float) -> list[dict]:
    sets = {}
    for place, text in enumerate(texts):
        (folder / f"{place}.qrels").write_text(text)
        sets[f"s{place}"] = folder / f"{place}.parquet"
        labels.tabulate([folder / f"{place}.qrels"], out=sets[f"s{place}"], scale=scale)
    settings = {"bootstrap": 200, "confidence": 0.95, "significance": 0.05, "seed": 3, **given}
    agree(sets, out=folder / "a.csv", settings=Agreement(**settings))  # type: ignore[arg-type]
    return list(csv.DictReader((folder / "a.csv").open(newline="")))


def lines(topic: str, given: str) -> str:
    return "".join(f"{topic} 0 d{i} {label}\n" for i, label in enumerate(given))


def test_two_sets_by_topic(tmp_path: Path) -> None:
    rows = compared(
        tmp_path, lines("1", "0120") + lines("2", "1"), lines("1", "0110") + lines("2", "1")
    )
    whole, first, second = rows
    assert [row["topic"] for row in rows] == ["all", "1", "2"]
    assert [row["documents"] for row in rows] == ["5", "4", "1"]
    assert float(whole["raw"]) == 0.8
    assert float(first["jaccard"]) == 1  # 1 and 2 are both relevant
    assert float(whole["raw_low"]) <= 0.8 <= float(whole["raw_high"])
    # one document, or one label, leaves nothing to agree about
    assert {second[name] for name in ("raw", "kappa", "alpha_nominal", "jaccard")} == {""}


def test_cannot_judge_is_no_label(tmp_path: Path) -> None:
    scale = Scale(0, 2, "high", 1, None, (3,))
    whole = compared(tmp_path, lines("1", "01230"), lines("1", "01130"), scale=scale)[0]
    assert whole["documents"] == "4"


def test_three_sets_are_compared_in_pairs_and_together(tmp_path: Path) -> None:
    rows = compared(tmp_path, lines("1", "0120"), lines("1", "0110"), lines("1", "0112"))
    whole = [(row["set_a"], row["set_b"]) for row in rows if row["topic"] == "all"]
    assert whole == [("s0", "s1"), ("s0", "s2"), ("s1", "s2"), ("all", "3 sets")]
    last = [row for row in rows if row["topic"] == "all"][-1]
    table = np.array([[3, 0, 0], [0, 3, 0], [0, 2, 1], [2, 0, 1]])
    assert float(last["fleiss"]) == pytest.approx(
        values_of(fleiss_statistics(table))["fleiss"], abs=1e-6
    )
    assert float(last["raw"]) == 0.5
    assert last["kappa"] == ""


def test_an_interval_shrinks_with_documents(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    width = []
    for n in (20, 2000):
        first = chance.integers(0, 3, n)
        second = np.where(chance.random(n) < 0.7, first, chance.integers(0, 3, n))
        texts = ["".join(map(str, given)) for given in (first, second)]
        row = compared(tmp_path, *(lines("1", text) for text in texts))[0]
        width.append(float(row["kappa_high"]) - float(row["kappa_low"]))
        assert float(row["kappa_low"]) < float(row["kappa"]) < float(row["kappa_high"])
    assert width[1] < width[0] / 4


def test_sets_without_a_common_document(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        compared(tmp_path, lines("1", "01"), lines("2", "01"))
    assert error.value.problems[0].where == "sets 's0' and 's1'"


# ---- swaps ------------------------------------------------------------------------


def test_pairs_that_flip() -> None:
    before = np.array([[0.9, 0.8, 0.85, 0.95], [0.1, 0.2, 0.15, 0.05], [0.5, 0.1, 0.9, 0.4]])
    after = before[[1, 0, 2]]
    found = pairs(before, after, significance=0.05)
    assert found == {
        "pairs": 3, "significant": 1, "significant_swapped": 1, "still": 0, "lost": 0, "flipped": 1,
    }  # fmt: skip
    assert pairs(before, before, significance=0.05)["still"] == 1
    assert pairs(before[:, :1], after[:, :1], significance=0.05)["significant"] == 0


def test_significance_is_scipys() -> None:
    from scipy.stats import ttest_rel

    found = np.random.default_rng(2).random((6, 30)) + np.arange(6)[:, None] / 20
    expected = [
        np.sign(found[i].mean() - found[j].mean()) if p < 0.05 else 0
        for i, j in combinations(range(6), 2)
        for p in [ttest_rel(found[i], found[j]).pvalue]
    ]
    assert verdicts(found, significance=0.05).tolist() == expected


def test_a_swap_scores_with_the_other_set(tmp_path: Path) -> None:
    runs = {"x": {"1": ranked("a b"), "2": ranked("a b")}, "y": {"1": ranked("b a")}}
    files = {run: run_text(lists) for run, lists in runs.items()}
    one = campaign(tmp_path / "1", files, {"topicality": Judged({"1": {"a": 1}, "2": {"a": 1}})})
    other = campaign(tmp_path / "2", files, {"topicality": Judged({"1": {"b": 1}, "2": {"q": 1}})})
    swap(
        one.read(), dimension="topicality", sets={"crowd": other.read()},
        measures=["P@1"], significance=0.05, out=tmp_path / "s.csv",
    )  # fmt: skip
    (row,) = csv.DictReader((tmp_path / "s.csv").open(newline=""))
    assert (row["set"], row["leader"], float(row["tau_b"])) == ("crowd", "y", -1)
