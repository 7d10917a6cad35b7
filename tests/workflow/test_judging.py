"""A campaign that asks for everything about judging runs to its report."""

import csv
import random
from pathlib import Path

import pytest
import yaml

from pipeline.labels.qrels import read_qrels
from pipeline.sources import demo as plan
from tests.workflow.snake import Project
from tests.workflow.test_regeneration import config

pytestmark = pytest.mark.workflow


def other_assessor(path: Path, out: Path) -> None:
    """The labels with every tenth one step off."""
    chance = random.Random(3)
    lines = [line.split() for line in path.read_text().splitlines()]
    for line in lines:
        if chance.random() < 0.1:
            line[3] = str(abs(int(line[3]) - 1))
    out.write_text("".join(" ".join(line) + "\n" for line in lines))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project.copy(tmp_path_factory.mktemp("judging"))
    plan.generate(project.folder / "inputs", seed=7)
    labels = project.folder / "inputs/labels"
    other_assessor(labels / "topicality.qrels", labels / "crowd.qrels")
    whole = config()
    small = whole["campaigns"]["small"]  # type: ignore[index]
    del small["dimensions"]["simulated"], small["pages"]
    small["measures"] = ["RBP(p=0.8)", "uRBP(p=0.8)"]
    small["dimensions"]["topicality"]["sets"] = {"crowd": "inputs/labels/crowd.qrels"}
    small["fusion"] = {"fused_rrf": {"method": "rrf"}, "fused_mnz": {"method": "combmnz"}}
    small["pool"] = {"method": "bandit", "size": 15, "per_team": 2}
    small["variations"] = "^(.*).$"
    (project.folder / "all.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))
    project.run("--configfile", "all.yaml")
    return project.folder / "results/small"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_fused_systems_are_scored_and_checked(done: Path) -> None:
    for file in ("means.csv", "checks.csv"):
        assert {"fused_rrf", "fused_mnz"} <= {row["run"] for row in rows(done / file)}


def test_the_pool_has_its_size_and_its_forms(done: Path) -> None:
    sizes = {int(row["documents"]) for row in rows(done / "pool/topics.csv")}
    assert max(sizes) == 15
    judge = read_qrels(done / "pool/judge.qrels")
    listed = (done / "pool/relevation/pool.txt").read_text().splitlines()
    assert len(judge.topic) == len(listed) == len((done / "pool.tsv").read_text().splitlines()) - 1


def test_the_other_assessor_agrees_in_nine_of_ten(done: Path) -> None:
    whole = rows(done / "agreement/topicality.csv")[0]
    assert 0.85 < float(whole["raw"]) < 0.95
    assert float(whole["kappa_low"]) < float(whole["kappa"]) < float(whole["kappa_high"])
    swaps = rows(done / "agreement/topicality.swaps.csv")
    assert {row["measure"] for row in swaps} == {"RBP(p=0.8)", "uRBP(p=0.8)"}


def test_the_report_has_a_section_for_each(done: Path) -> None:
    page = (done / "report/index.html").read_text(encoding="utf-8")
    for section in ("pool", "sweep", "reusability", "judgements-topicality", "variations"):
        assert f'<section id="{section}">' in page
