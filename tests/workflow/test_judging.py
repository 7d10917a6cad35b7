"""A campaign that asks for everything about judging runs to its report."""

import csv
from pathlib import Path

import pytest

from pipeline.labels.qrels import read_qrels
from tests.workflow import everything
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow


@pytest.fixture
def done(all_rules: Project) -> Path:
    return all_rules.folder / "results/every"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_fused_systems_are_scored_and_checked(done: Path) -> None:
    for file in ("means.csv", "checks.csv"):
        assert "fused_rrf" in {row["run"] for row in rows(done / file)}


def test_the_pool_has_its_size_and_its_forms(done: Path) -> None:
    sizes = {int(row["documents"]) for row in rows(done / "pool/topics.csv")}
    assert max(sizes) == 20
    judge = read_qrels(done / "pool/judge.qrels")
    listed = (done / "pool/relevation/pool.txt").read_text().splitlines()
    assert len(judge.topic) == len(listed) == len((done / "pool.tsv").read_text().splitlines()) - 1


def test_the_other_assessor_agrees_in_nine_of_ten(done: Path) -> None:
    whole = rows(done / "judging/agreement/topicality.csv")[0]
    assert 0.85 < float(whole["raw"]) < 0.95
    assert float(whole["kappa_low"]) < float(whole["kappa"]) < float(whole["kappa_high"])
    swaps = rows(done / "judging/agreement/topicality.swaps.csv")
    assert {row["measure"] for row in swaps} == set(everything.MEASURES)


def test_the_report_has_a_section_for_each(done: Path) -> None:
    page = (done / "report/index.html").read_text(encoding="utf-8")
    for section in ("pool", "sweep", "reusability", "judgements-topicality", "variations"):
        assert f'<section id="{section}">' in page
