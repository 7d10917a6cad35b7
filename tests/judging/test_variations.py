"""Query variations by hand."""

import csv
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.judging.variations import group, vary
from pipeline.measures.score_table import ScoreTable

NEED = r"^(\d{3})\d{3}$"


def test_means_and_variances(tmp_path: Path) -> None:
    scores = {"101001": 1.0, "101002": 0.5, "101003": 0.0, "102001": 0.5}
    values = np.array([list(scores.values())])
    table = ScoreTable.of("P@2", ["r"], list(scores), values)
    vary([table], need=NEED, needs=tmp_path / "n.csv", runs=tmp_path / "r.csv")
    first, second = csv.DictReader((tmp_path / "n.csv").open(newline=""))
    assert (first["need"], first["queries"], float(first["mean"])) == ("101", "3", 0.5)
    assert float(first["variance"]) == 0.25
    assert (float(first["lowest"]), float(first["highest"])) == (0, 1)
    assert (second["queries"], second["variance"]) == ("1", "")
    (row,) = csv.DictReader((tmp_path / "r.csv").open(newline=""))
    assert {k: float(v) for k, v in row.items() if k not in ("run", "measure")} == {
        "needs": 2,
        "mean": 0.5,
        "variance_between": 0,
        "variance_within": 0.25,
        "worst_query": 0.25,
    }


@pytest.mark.parametrize(
    ("topics", "where", "word"),
    [
        (["101001", "x"], "topic 'x'", NEED),
        (["101001", "102001"], "variations", "2 topics"),
    ],
)
def test_bad_expressions(topics: list[str], where: str, word: str) -> None:
    with pytest.raises(InputError) as caught:
        group(topics, need=NEED)
    (problem,) = caught.value.problems
    assert problem.where == where
    assert word in problem.what
