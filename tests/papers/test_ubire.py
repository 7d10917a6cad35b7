"""UBIRE rerun: the parts, on small cases; the whole on real files is in tests/real."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from pipeline.pages.user_models.models.zuccon import arctan
from pipeline.papers import ubire
from pipeline.papers.paper import PAPERS, PaperInputs
from pipeline.papers.published import fitting, read
from pipeline.statistics.means import Means

RERUNS = Path(__file__).parents[2] / "pipeline/papers/reruns"
PRINTED = list(read(str(RERUNS / "ubire.py"), "ubire.csv").values())


@pytest.mark.parametrize(("low", "high"), [(0, 30), (12, 13), (9, 40)])
@pytest.mark.parametrize("threshold", [10, 15, 20])
def test_the_integral_of_equation_7(low: float, high: float, threshold: float) -> None:
    expected, _ = quad(lambda fog: arctan(fog, threshold), low, high)
    assert ubire.integral(low, high, threshold=threshold) == pytest.approx(expected, abs=1e-6)


def test_table_1_is_of_48_runs_and_table_2_of_no_110() -> None:
    taus = {
        table: [one.value for one in PRINTED if one.table == table and one.column[:4] == "tau,"]
        for table in ("1", "2")
    }
    assert fitting(taus["1"], places=4) == [48]
    assert fitting(taus["2"], places=4) == [121]


def test_pairs_that_one_measure_cannot_tell_apart() -> None:
    same = np.array([0.3, 0.3005, 0.31, 0.3, 0.4])
    other = np.array([0.1, 0.2, 0.9, 0.15, 0.4])
    found = ubire.look_alikes(same, other)
    assert found == [(0, 1)]  # 3 would need 0 or 1 again


def correlations(**columns: list[float]) -> ubire.Correlations:
    runs = tuple(f"r{number}" for number in range(len(next(iter(columns.values())))))
    names = {
        "rbp": "RBP(p=0.8)",
        **{f"{model}{th}": ubire.simulated(model, th) for model in ("step", "arctan")
           for th in ubire.THRESHOLDS},
    }  # fmt: skip
    measures = tuple(names[key] for key in columns)
    values = np.array(list(columns.values())).T
    return ubire.correlations(Means(runs, ("",) * len(runs), measures, values))


UP, NEARLY, DOWN = [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 3.0], [4.0, 3.0, 2.0, 1.0]


def test_claims_are_made_true_and_false_by_numbers() -> None:
    good = correlations(rbp=UP, step10=DOWN, step15=NEARLY, step20=UP, arctan10=NEARLY, arctan15=UP,
                 arctan20=UP)  # fmt: skip
    assert list(ubire.rises(good).values()) == [True, True, True]
    bad = correlations(rbp=UP, step10=UP, step15=NEARLY, step20=UP, arctan10=DOWN, arctan15=UP,
                arctan20=NEARLY)  # fmt: skip
    assert list(ubire.rises(bad).values()) == [False, False, False]
    one = correlations(rbp=UP, step10=DOWN, step15=NEARLY, step20=UP)
    assert len(ubire.rises(one)) == 1


def test_generated_pages_claim_no_figure_and_given_ones_do() -> None:
    some = [one for one in PRINTED if one.table == "2"]
    found = correlations(rbp=UP, step10=DOWN, step15=NEARLY, step20=UP)
    made = ubire.table(some, found, generated=True)
    assert {cell.verdict for cell in made} == {"absent"}
    assert all("not public" in cell.why for cell in made)
    real = ubire.table(some, found, generated=False)
    assert [cell.ours for cell in real if cell.column.startswith("tau,")] == pytest.approx(
        [-1, 2 / 3, 1]
    )
    assert {cell.verdict for cell in real} == {"differs"}


def test_weights_are_found_among_the_measures() -> None:
    names = ("uRBPgr(p=0.8)", "uRBPgr(p=0.8, understandability=2)", "RBP(p=0.8)",
             "uRBPgr(p=0.8, understandability=0.5)")  # fmt: skip
    table = Means(("r",), ("",), names, np.zeros((1, 4)))
    assert [weight for weight, _ in ubire.weighted(table)] == [0.5, 1, 2]


def test_without_any_campaign_the_page_says_so() -> None:
    paper = PAPERS["ubire"]
    absent = dict.fromkeys(paper.uses, "not here")
    outcome = paper.function(
        PaperInputs(settings={"generated_pages": True, "seed": 1}, absent=absent)
    )
    assert len(outcome.cells) == len(PRINTED)
    assert {(cell.verdict, cell.why) for cell in outcome.cells} == {("absent", "not here")}


def test_official_figures_that_are_not_there_are_said(tmp_path: Path) -> None:
    (tmp_path / "sources/clef").mkdir(parents=True)
    given = PaperInputs(settings={}, folders={"clef2015": tmp_path})
    found = ubire.section_6(given, [one for one in PRINTED if one.table == "section 6"])
    assert {cell.verdict for cell in found.cells} == {"absent"}
    assert "has no file *.urbp" in found.cells[0].why


def test_runs_with_other_means_than_the_official_ones() -> None:
    theirs = {name: np.array([0.5, 0.3]) for name in ubire.OFFICIAL}
    same = {name: np.array([0.30009, 0.4, 0.49996]) for name in ubire.OFFICIAL}
    assert ubire.differing(["b", "new", "a"], same, ["a", "b"], theirs) == []
    other = {**same, "uRBP": np.array([0.3, 0.4, 0.48])}
    assert ubire.differing(["b", "new", "a"], other, ["a", "b"], theirs) == ["a"]
