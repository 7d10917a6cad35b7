"""A paper where nothing can be fetched: the page is made all the same, and says what it lacks."""

import csv
from pathlib import Path

import pytest
import yaml

from pipeline.campaign import from_config
from pipeline.workflow.code import MEASURES, Graph
from tests.workflow.snake import ROOT, Project

pytestmark = [pytest.mark.workflow, pytest.mark.slow]


def test_what_cannot_be_had_is_said_and_tried_again(tmp_path: Path) -> None:
    project = Project.copy(tmp_path / "project")
    given = yaml.safe_load((ROOT / "config/papers/h-framework.yaml").read_text())
    given["papers"]["h-framework"] |= {"lists": 200, "repeats": 1, "correlations": [0, 0.5]}
    config = tmp_path / "small.yaml"
    config.write_text(yaml.safe_dump(given))
    (tmp_path / "mirror").mkdir()
    env = {"FATHOM_MIRROR": str(tmp_path / "mirror"), "FATHOM_CACHE": str(tmp_path / "cache")}
    done = project.snakemake("--configfile", str(config), env=env)
    assert done.returncode == 0, done.stderr[-4000:]
    results = project.folder / "results"
    assert {path.name for path in results.iterdir()} == {"h-framework"}  # nothing half made
    page = (results / "h-framework/index.html").read_text()
    for year in ("2015", "2016"):
        assert f"<strong>The campaign clef{year} is not available.</strong>" in page
    assert "has no folder github.com/CLEFeHealth/CLEFeHealth2015Task2" in page
    with (results / "h-framework/published.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:8] == [
        "table", "row", "column", "published", "ours", "difference", "verdict", "why",
    ]  # fmt: skip
    absent = [row for row in rows if row["verdict"] == "absent"]
    assert len(absent) == 24
    assert all(row["ours"] == "" and "has no folder" in row["why"] for row in absent)
    assert (
        "Nothing to be done"
        not in project.snakemake("--dry-run", "--configfile", str(config), env=env).stderr
    )  # it may be there by now


def test_editing_one_paper_leaves_the_others_alone() -> None:
    graph = Graph()
    given = yaml.safe_load((ROOT / "config/papers/ubire.yaml").read_text())
    (ubire,) = from_config(given).checked().papers.values()
    behind = graph.behind(ROOT / "scripts/paper.py", measures=[*MEASURES, ubire.paper.module])
    names = {str(path.relative_to(ROOT / "pipeline")) for path in behind}
    assert {
        "papers/reruns/ubire.py", "papers/reruns/ubire.csv", "papers/ubire.py",
        "measures/standard/rbp.py", "papers/paper.html.j2", "report/report.css",
    } <= names  # fmt: skip
    assert not any("h_framework" in name for name in names)
    assert not any(name.startswith("report/sections") for name in names)
