"""A campaign with baselines: made from its pages and topics, scored beside the submitted runs."""

import csv
from pathlib import Path

import pytest
import yaml

from tests.workflow.snake import Project

pytest.importorskip("pyterrier_pisa", reason="PISA has no wheel here")
pytestmark = pytest.mark.workflow

CONFIG = "baselines.yaml"
SUBJECTS = ("asthma inhaler", "diabetes insulin", "migraine headache", "flu vaccine")
PAGE = "<html><body><h1>{0}</h1><p>This page explains {0} to readers, in {1} words.</p></body>"


def prepare(folder: Path) -> None:
    """Eight pages, two a subject; the run has found one of each, the baseline can find both."""
    for name in ("runs", "pages"):
        (folder / name).mkdir()
    labels, runs = [], []
    for topic, subject in enumerate(SUBJECTS, 1):
        for which in "ab":
            document = f"{subject.split()[0]}-{which}"
            (folder / "pages" / f"{document}.html").write_text(PAGE.format(subject, which))
            labels.append(f"{topic} 0 {document} 1\n")
        runs.append(f"{topic} Q0 {subject.split()[0]}-a 1 2.0 t\n{topic} Q0 none 2 1.0 t\n")
    (folder / "t.qrels").write_text("".join(labels))
    (folder / "runs/team_1").write_text("".join(runs))
    (folder / "topics.tsv").write_text(
        "".join(f"{topic}\t{subject}\n" for topic, subject in enumerate(SUBJECTS, 1))
    )
    campaign = {
        "runs": {"files": "runs/*", "team": "^([^_]+)_"},
        "topics": {"file": "topics.tsv"},
        "pages": {"files": "pages/*.html", "shards": 2},
        "dimensions": {"topicality": {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}},
        "measures": ["P@2"],
        "sweep": False,
        "reusability": [],
        "fusion": {"team_fused": {"method": "rrf"}},
        "baselines": {"bm25": {"model": "BM25"}, "kr": {"model": "QLD", "stemmer": "krovetz"}},
    }
    config = {"campaigns": {"mine": campaign}}
    (folder / CONFIG).write_text(yaml.safe_dump(config, sort_keys=False))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("baselines"))
    prepare(project.folder)
    project.run("--configfile", CONFIG)
    return project


def rows(project: Project, name: str) -> dict[str, dict[str, str]]:
    with (project.folder / "results/mine" / name).open(newline="") as file:
        return {row["run"]: row for row in csv.DictReader(file)}


def test_baselines_are_systems_of_no_team(project: Project) -> None:
    means = rows(project, "means.csv")
    assert set(means) == {"baseline:bm25", "baseline:kr", "team_1", "team_fused"}
    assert {run: row["team"] for run, row in means.items() if run.startswith("baseline:")} == {
        "baseline:bm25": "",
        "baseline:kr": "",
    }
    pages = (project.folder / "results/mine/report/teams").glob("*.html")
    assert {path.stem for path in pages} == {"team"}
    assert float(means["baseline:bm25"]["P@2"]) == 1.0 == float(means["baseline:kr"]["P@2"])
    assert float(means["team_1"]["P@2"]) == 0.5 == float(means["team_fused"]["P@2"])
    checks = rows(project, "checks.csv")
    assert checks["baseline:bm25"]["file"] == "(BM25 over the pages, by PISA)"
    assert checks["baseline:bm25"]["missing_topics"] == "0"
    page = (project.folder / "results/mine/report/index.html").read_text(encoding="utf-8")
    assert "baseline:bm25" in page
    assert "2 runs of 1 team and 2 baselines on 4 topics" in page
    pooled = (project.folder / "results/mine/pool/teams.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in pooled] == [
        "team", "baseline:bm25", "baseline:kr", "team",
    ]  # fmt: skip
    assert checks["baseline:bm25"]["no_team"] == "0"


def test_a_changed_page_or_topic_redoes_them_and_a_changed_run_does_not(project: Project) -> None:
    assert project.stale(CONFIG) == set()
    searched = {"baselines"}
    for name, old, new, redone, left in (
        ("runs/team_1", "2.0", "3.0", set(), searched),
        ("topics.tsv", "flu vaccine", "flu vaccines", searched, set()),
        ("pages/flu-a.html", "explains", "tells", searched, set()),
    ):
        path = project.folder / name
        before = path.read_text()
        path.write_text(before.replace(old, new))
        planned = project.stale(CONFIG)
        path.write_text(before)
        assert planned, name
        assert redone <= planned, name
        assert not left & planned, name


def test_a_collection_that_comes_from_runs_is_refused_before_any_job(project: Project) -> None:
    config = yaml.safe_load((project.folder / CONFIG).read_text())
    config["campaigns"]["mine"]["pages"]["documents"] = "pooled"
    (project.folder / "pooled.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    done = project.snakemake("--configfile", "pooled.yaml")
    assert done.returncode != 0
    assert "mine.baselines" in done.stderr
    assert "set pages.documents to 'all'" in done.stderr
    assert "Traceback" not in done.stderr
