"""Query variations by hand."""

import csv
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.evaluate import evaluate
from pipeline.variations import group, vary
from tests.builders import Judged, campaign, ranked, run_text

NEED = r"^(\d{3})\d{3}$"


def test_means_and_variances(tmp_path: Path) -> None:
    # P@2 of run r: need 101: 1, 0.5, 0; need 102: 0.5 with a single query
    found = {"101001": "a b", "101002": "a x", "101003": "x y", "102001": "a x"}
    runs = {"r": {topic: ranked(documents) for topic, documents in found.items()}}
    judged = {"topicality": Judged({topic: {"a": 1, "b": 1} for topic in found})}
    small = campaign(tmp_path, {"r": run_text(runs["r"])}, judged)
    write_scores(small.gains, tmp_path)
    vary([tmp_path / "p.parquet"], need=NEED, needs=tmp_path / "n.csv", runs=tmp_path / "r.csv")
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


def write_scores(gains: dict[str, Path], folder: Path) -> None:
    evaluate(
        "P@2", dimensions=["topicality"], gains=gains, unjudged="zero", out=folder / "p.parquet"
    )


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        (["101001", "x"], "topic 'x': variations '^(\\d{3})\\d{3}$' finds no information need"),
        (["101001", "102001"], "gives each of the 2 topics a need of its own, as '101001'"),
    ],
)
def test_bad_expressions(topics: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        group(topics, need=NEED)
    assert message in str(caught.value)
