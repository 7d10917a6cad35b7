"""Measures from a file of the user's: editing it redoes what uses it, and only that."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.snake import Project, outputs

pytestmark = pytest.mark.workflow

MINE = """
from pipeline import measure


@measure("Mine", title="mine", formula="the first gain", citation="An Author, 2026",
         range=(0.0, 9.0))
def mine(view):
    return 1.0 * view.gain[:, 0]
"""
CONFIG = {
    "campaigns": {
        "c": {
            "runs": {"files": "runs/*"},
            "dimensions": {"topicality": {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}},
            "measures": ["P@2", "Mine"],
            "measures_from": ["mine.py"],
        }
    }
}
ARGUMENTS = ("results/c/means.csv", "--configfile", "c.yaml")


def test_an_edited_file_redoes_its_measures_alone(tmp_path: Path) -> None:
    project = Project.copy(tmp_path / "project")
    folder = project.folder
    (folder / "runs").mkdir()
    (folder / "runs/r").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 b 1 2 t\n")
    (folder / "t.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 b 1\n")
    (folder / "mine.py").write_text(MINE)
    (folder / "c.yaml").write_text(yaml.safe_dump(CONFIG))
    project.run(*ARGUMENTS)
    scores = folder / "results/c/scores"

    def values(name: str) -> list[float]:
        return pq.read_table(scores / f"{name}.parquet")["value"].to_pylist()

    assert (values("Mine"), values("P@2")) == ([1.0, 1.0], [0.5, 0.5])
    before = (scores / "P@2.parquet").stat().st_mtime_ns
    assert outputs(project.snakemake(*ARGUMENTS, "--dry-run")) == []
    (folder / "mine.py").write_text(MINE.replace("1.0 * ", "0.5 * "))
    planned = set(outputs(project.snakemake(*ARGUMENTS, "--dry-run")))
    assert {"scores/Mine.parquet", "means.csv"} <= planned
    assert "scores/P@2.parquet" not in planned
    assert not [name for name in planned if name.startswith(("rankings", "gains", "labels"))]
    project.run(*ARGUMENTS)
    assert (values("Mine"), values("P@2")) == ([0.5, 0.5], [0.5, 0.5])
    assert (scores / "P@2.parquet").stat().st_mtime_ns == before
