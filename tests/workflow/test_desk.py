"""The desk's own target reads everything and evaluates nothing, whatever state the runs are in."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.intake.test_check import BROKEN, FINE, handed_in
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow


def test_the_check_of_a_folder_of_broken_runs(tmp_path: Path) -> None:
    project = Project.copy(tmp_path / "project")
    runs = {name: content for name, content in BROKEN.items() if name.startswith("A_")}
    handed_in(project.folder, {**runs, **FINE})
    campaign = {
        "runs": {"files": "runs/*", "team": "^([A-Z])_"},
        "topics": {"file": "topics.tsv"},
        "dimensions": {"topicality": {"labels": "q.txt", "scale": [0, 2], "threshold": 1}},
        "measures": ["AP"],
    }
    (project.folder / "c.yaml").write_text(yaml.safe_dump({"campaigns": {"mine": campaign}}))
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--cores",
        "1",
        "--configfile",
        "c.yaml",
        "--",
        "check",
    ]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results = project.folder / "results/mine"
    with (results / "check/problems.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["name"] for row in rows} == set(runs)
    assert {row["file"] for row in rows} == {f"runs/{name}" for name in runs}
    assert (results / "check/index.html").is_file()
    made = {path.name for path in results.iterdir()}
    assert made == {"benchmarks", "check", "logs", "records"}
