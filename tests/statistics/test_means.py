"""Scores and means: one tidy table a measure, one denominator for all."""

import csv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.measures.evaluate import evaluate
from pipeline.statistics.means import write_means
from tests.builders import GRADED, Judged, Small, campaign, ranked, run_text

RUNS = {
    "B_2": {"1": ranked("a x b"), "2": ranked("b"), "9": ranked("a")},
    "A_1": {"2": ranked("a c")},
}
LABELS = {
    "topicality": Judged({"1": {"a": 2, "b": 1}, "2": {"b": 1}, "10": {"c": 2}}, GRADED),
    "understandability": Judged({"1": {"a": 1}, "2": {"b": 1}}),
}


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return campaign(tmp_path, {run: run_text(lists) for run, lists in RUNS.items()}, LABELS)


def scored(small: Small, measure: str, unjudged: str = "zero") -> tuple[Path, Path]:
    """The values of every topic, and each run's one figure."""
    number = len(list(small.folder.glob("scores/*")))
    out, overall = (small.folder / kind / f"{number}.parquet" for kind in ("scores", "overall"))
    evaluate(
        measure,
        dimensions=list(LABELS),
        gains=small.gains,
        scores=None,
        unjudged=unjudged,
        ties="ignore",
        out=out,
        overall=overall,
    )
    return out, overall


def test_scores_are_one_tidy_table(small: Small) -> None:
    table = pq.read_table(scored(small, "P @ 2")[0])
    assert table.column_names == [
        "run", "topic", "measure", "value", "lower", "upper", "unjudged_lower", "unjudged_upper",
    ]  # fmt: skip
    rows = zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    assert list(rows) == [
        ("A_1", "1", "P@2", 0, 0, 0, 0, 0),
        ("A_1", "2", "P@2", 0, 0, 1, 0, 1),
        ("A_1", "10", "P@2", 0, 0, 0, 0, 0),
        ("B_2", "1", "P@2", 0.5, 0.5, 1, 0.5, 1),
        ("B_2", "2", "P@2", 0.5, 0.5, 0.5, 0.5, 0.5),
        ("B_2", "10", "P@2", 0, 0, 0, 0, 0),
    ]


def test_condensed_scores(small: Small) -> None:
    table = pq.read_table(scored(small, "P@2", "condensed")[0])
    assert table["value"].to_pylist() == [0, 0, 0, 1, 0.5, 0]
    assert table["upper"].to_pylist() == [0, 0, 0, 1, 0.5, 0]


def test_means_are_over_the_topics_that_count(small: Small) -> None:
    out = small.folder / "means.csv"
    measures = ["P@2", "RBP(p=0.5)", "uRBP(p=0.5)", "H(P@1, topicality=1, understandability=1)"]
    write_means([scored(small, m)[1] for m in measures], out=out, teams={"A_1": "A", "B_2": "B"})
    with out.open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["run", "team", *measures]
    assert [row[:2] for row in rows] == [["A_1", "A"], ["B_2", "B"]]
    # B_2: topic 1 a . b, topic 2 b, topic 10 unanswered; always divided by three
    assert [float(x) for x in rows[0][2:]] == [0, 0, 0, 0]
    assert [float(x) for x in rows[1][2:]] == pytest.approx(
        [(0.5 + 0.5) / 3, (0.625 + 0.5) / 3, (0.5 + 0.5) / 3, 2 / 3]
    )


def test_a_mean_is_written_to_its_last_digit(small: Small) -> None:
    out = small.folder / "means.csv"
    write_means([scored(small, "AP")[1]], out=out, teams={"A_1": "", "B_2": ""})
    # topic 1: (1 + 2/3) / 2, topic 2: 1
    assert out.read_text() == f"run,team,AP\nA_1,,0.0\nB_2,,{((1 + 2 / 3) / 2 + 1) / 3!r}\n"
