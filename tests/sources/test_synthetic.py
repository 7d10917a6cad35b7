"""Synthetic systems: labels distributed and correlated as asked, in any number of dimensions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from pipeline.campaign import campaigns
from pipeline.errors import InputError
from pipeline.sources.generators.synthetic import Categorical, Normal, labels, mixing
from pipeline.sources.kind import make

SHAPE = (2000, 50)


def random(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_chance() -> None:
    drawn = labels({"t": Categorical.binary(0.3)}, shape=SHAPE, random=random())["t"]
    assert set(np.unique(drawn)) == {0.0, 1.0}
    assert drawn.mean() == pytest.approx(0.3, abs=0.01)
    for sure in (0.0, 1.0):
        assert (
            labels({"t": Categorical.binary(sure)}, shape=(9, 9), random=random())["t"] == sure
        ).all()


@pytest.mark.parametrize("better", ["high", "low"])
def test_normal_labels_are_cut_and_rounded(better: str) -> None:
    one = Normal(mean=30, sd=40, better=better)
    drawn = labels({"u": one}, shape=SHAPE, random=random())["u"]
    assert drawn.min() == 0
    assert drawn.max() == 100
    assert (drawn == np.rint(drawn)).all()
    assert (drawn == 0).mean() == pytest.approx(norm.cdf(0.5, 30, 40), abs=0.01)
    assert (drawn <= 40).mean() == pytest.approx(norm.cdf(40.5, 30, 40), abs=0.01)
    assert (drawn == 100).mean() == pytest.approx(norm.sf(99.5, 30, 40), abs=0.01)


def test_levels() -> None:
    one = Categorical(chances=((0.0, 0.2), (1.0, 0.5), (2.0, 0.3)))
    drawn = labels({"u": one}, shape=SHAPE, random=random())["u"]
    assert [(drawn == label).mean() for label in (0, 1, 2)] == pytest.approx(
        [0.2, 0.5, 0.3], abs=0.01
    )


@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.5, 1.0])
def test_correlation_is_between_qualities(correlation: float) -> None:
    """Of a good end each: where low labels are good, labels correlate the other way round."""
    wide = {"lowest": -1e6, "highest": 1e6, "mean": 0, "sd": 1000}
    high, low = Normal(**wide), Normal(**wide, better="low")  # type: ignore[arg-type]
    drawn = labels({"a": high, "b": low}, shape=SHAPE, correlation=correlation, random=random())
    found = np.corrcoef(drawn["a"].ravel(), drawn["b"].ravel())[0, 1]
    assert found == pytest.approx(-correlation, abs=0.01)


def test_two_correlated_chances_meet_as_often_as_two_normal_variables() -> None:
    dimensions = {"a": Categorical.binary(0.4), "b": Categorical.binary(0.7)}
    drawn = labels(dimensions, shape=SHAPE, correlation=0.6, random=random())
    both = (drawn["a"] * drawn["b"]).mean()
    law = multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]])
    assert both == pytest.approx(law.cdf([norm.ppf(0.4), norm.ppf(0.7)]), abs=0.01)


def test_any_number_of_dimensions() -> None:
    dimensions = {f"d{number}": Normal(mean=50, sd=10) for number in range(12)}
    matrix = np.eye(12)
    matrix[0, 11] = matrix[11, 0] = 0.9
    drawn = labels(dimensions, shape=SHAPE, correlation=matrix.tolist(), random=random())
    found = np.corrcoef([values.ravel() for values in drawn.values()])
    assert found == pytest.approx(matrix, abs=0.02)


@pytest.mark.parametrize(
    ("correlation", "dimensions", "sentence"),
    [
        (-0.6, 3, "the correlation -0.6 of 3 dimensions is impossible: its matrix is not positive "
         "semidefinite (smallest eigenvalue -0.2)"),
        ([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]], 3, "not positive semidefinite"),
        ([[1, 0.5]], 2, "the correlation has rows of 2 numbers for 2 dimensions"),
        ([[1, 0.5], [0.4, 1]], 2, "is not a correlation matrix; write a symmetric matrix"),
        ([[1, 2], [2, 1]], 2, "is not between -1 and 1"),
    ],
)  # fmt: skip
def test_impossible_correlations(correlation: Any, dimensions: int, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        mixing(correlation, dimensions=dimensions)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_just_possible_is_drawn() -> None:
    assert mixing(-0.5, dimensions=3) is not None
    assert mixing(1.0, dimensions=5) is not None
    assert mixing(0.0, dimensions=5) is None


SETTINGS: dict[str, Any] = {
    "generate": "synthetic",
    "seed": 3,
    "lists": 4,
    "length": 5,
    "correlation": 0.2,
    "draws": {"topicality": {"chance": 0.5}, "ease": {"mean": 50, "sd": 40, "better": "low"}},
    "systems": {"A": {}, "B": {"topicality": {"chance": 1}}},
}


def campaign(**changes: Any) -> dict[str, Any]:
    dimension = {"labels": "@s/labels/topicality.qrels", "scale": [0, 1], "threshold": 1}
    return {
        "campaigns": {
            "c": {
                "sources": {"s": {**SETTINGS, **changes}},
                "runs": {"files": "@s/runs/*"},
                "dimensions": {"topicality": dimension},
                "measures": ["P@5"],
            }
        }
    }


def written(folder: Path, **changes: Any) -> dict[str, str]:
    source = campaigns(campaign(**changes))["c"].sources["s"]
    make(folder, kind=source.kind, settings=source.settings)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def test_the_files_of_a_campaign(tmp_path: Path) -> None:
    first = written(tmp_path / "1")
    assert list(first) == ["labels/ease.qrels", "labels/topicality.qrels", "runs/A", "runs/B",
                           "topics.tsv"]  # fmt: skip
    assert first["runs/A"].splitlines()[:2] == ["t1 Q0 A-t1-1 1 5 A", "t1 Q0 A-t1-2 2 4 A"]
    assert len(first["runs/A"].splitlines()) == 4 * 5
    assert len(first["labels/ease.qrels"].splitlines()) == 2 * 4 * 5
    rows = [line.split() for line in first["labels/topicality.qrels"].splitlines()]
    assert {row[3] for row in rows if row[2].startswith("B-")} == {"1"}
    assert written(tmp_path / "2") == first
    assert written(tmp_path / "3", seed=4) != first
    more = written(tmp_path / "4", systems={**SETTINGS["systems"], "C": {}})
    assert more["labels/ease.qrels"].startswith(first["labels/ease.qrels"])


@pytest.mark.parametrize(
    ("changes", "where", "named"),
    [
        ({"draws": None}, "draws", "map"),
        ({"systems": None}, "systems", "map"),
        ({"systems": {"A": {"trust": {"chance": 1}}}}, "systems.A.trust", "draws"),
        ({"systems": {"A": {"ease": {"sd": -1}}}}, "systems.A.ease.sd", "at least 0"),
        ({"systems": {"A": {"ease": {"man": 5}}}}, "systems.A.ease.man", "'mean'"),
        ({"systems": {"A": {"ease": {"mean": "x"}}}}, "systems.A.ease.mean", "'x'"),
        ({"systems": {"A": {"ease": {"chance": 0.5}}}}, "systems.A", "'chance' and 'mean'"),
        ({"draws": {"ease": {"mean": 5}}}, "systems.A", "sd"),
        ({"draws": {"ease": {"mean": 5, "sd": 1, "scale": [9, 0]}}}, "systems.A", "9"),
        ({"draws": {"topicality": {"levels": {0: 0.5, 1: 0.6}}}}, "systems.A", "1.1"),
        ({"correlation": [[1, 0.5]]}, "correlation", "2 dimensions"),
        ({"correlation": 1.5}, "correlation", "at most 1"),
        ({"generate": "demo"}, "draws", "generate: demo"),
        ({"lists": 0}, "lists", "at least 1"),
    ],
)
def test_mistakes_in_the_config(changes: dict[str, Any], where: str, named: str) -> None:
    if changes.get("draws"):
        changes = {**changes, "systems": {"A": {}}}
    with pytest.raises(InputError) as error:
        campaigns(campaign(**changes))
    found = {str(one.where): f"{one.what}; {one.fix}" for one in error.value.problems}
    assert named in found[f"campaigns.c.sources.s.{where}"]


def test_three_dimensions_that_are_all_against_each_other_are_refused_before_any_job() -> None:
    three = {name: {"chance": 0.5} for name in "abc"}
    with pytest.raises(InputError, match="impossible: its matrix is not positive semidefinite"):
        campaigns(campaign(draws=three, systems={"A": {}}, correlation=-0.6))
