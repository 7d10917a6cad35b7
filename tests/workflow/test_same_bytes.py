"""Results are a function of inputs, config and code: not of cores, folder, time, locale or seed."""

from pathlib import Path

import pytest
import yaml

from tests.workflow.snake import Project, results

pytestmark = pytest.mark.workflow


def test_the_demo_made_elsewhere_and_otherwise(tmp_path: Path, demo: Project) -> None:
    other = Project.copy(tmp_path / "another folder")
    done = other.snakemake(
        env={
            "TZ": "Asia/Kolkata", "LC_ALL": "C", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "12345",
            "COLUMNS": "40", "USER": "somebody",
        },
        cores=1,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    ours, theirs = results(demo.folder), results(other.folder)
    assert len(ours) > 100
    assert [name for name in ours if theirs.get(name) != ours[name]] == []
    assert set(theirs) == set(ours)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return made(tmp_path_factory.mktemp("odd"), seed="1")


def made(folder: Path, *, seed: str) -> Project:
    project = Project.copy(folder)
    prepare(folder)
    done = project.snakemake("--configfile", "odd.yaml", env={"PYTHONHASHSEED": seed})
    assert done.returncode == 0, done.stderr[-4000:]
    return project


def test_topics_that_are_the_same_number(odd: Project, tmp_path: Path) -> None:
    """Ids such as 1, 01 and 001 need a total order, or the hash seed decides."""
    other = made(tmp_path / "other", seed="2")
    assert results(odd.folder) == results(other.folder)
    topics = (odd.folder / "results/odd/topics.tsv").read_text().splitlines()[1:]
    assert [line.split("\t")[0] for line in topics] == ["001", "01", "1", "02", "2", "a1"]


def test_how_a_campaign_was_named_rebuilds_nothing(odd: Project, tmp_path: Path) -> None:
    """Two finished campaigns named in one command, or by the config kept with the results."""
    project = odd.twin(tmp_path / "twin")
    text = (project.folder / "odd.yaml").read_text()
    (project.folder / "even.yaml").write_text(text.replace("  odd:", "  even:"))
    project.run("--configfile", "odd.yaml", "even.yaml")
    assert project.planned("even.yaml", "odd.yaml") == set()
    assert project.planned("results/odd/config.yaml") == set()
    page = (project.folder / "results/odd/report/index.html").read_text()
    assert "fathom run results/odd/config.yaml" in page


def prepare(folder: Path) -> None:
    topics = ("1", "01", "001", "2", "02", "a1")
    (folder / "runs").mkdir()
    for run, shift in (("x_one", 0), ("x_two", 1), ("y_one", 2)):
        rows = [
            f"{topic} Q0 d{(place + shift * len(topic)) % 7} {place} {10 - place} {run}\n"
            for topic in topics
            for place in range(1, 6)
        ]
        (folder / "runs" / run).write_text("".join(rows))
    labels = [f"{t} 0 d{d} {(d + len(t)) % 3}\n" for t in topics for d in range(7)]
    (folder / "q.txt").write_text("".join(labels))
    campaign = {
        "runs": {"files": "runs/*", "team": "^([^_]+)_"},
        "dimensions": {"topicality": {"labels": "q.txt", "scale": [0, 2], "threshold": 1}},
        "measures": ["AP", "RBP(p=0.8)"],
    }
    (folder / "odd.yaml").write_text(yaml.safe_dump({"campaigns": {"odd": campaign}}))
