"""Sources of a campaign, made again when there is more to make."""

from pathlib import Path

import pytest
import yaml

from tests.workflow.snake import Project, outputs

pytestmark = pytest.mark.workflow

CAMPAIGN = {
    "sources": {
        "got": {
            "git": "https://host/owner/name", "commit": "a" * 40, "paths": ["runs/*", "qrels"],
            "files": {"runs/*": 2}, "missing": "warn",
        },
    },
    "runs": {"files": "@got/runs/*"},
    "dimensions": {"topicality": {"labels": "@got/qrels", "scale": [0, 1], "threshold": 1}},
    "measures": ["AP"],
}  # fmt: skip


def test_a_mirror_that_has_grown(tmp_path: Path) -> None:
    project = Project.copy(tmp_path / "project")
    (project.folder / "mine.yaml").write_text(yaml.safe_dump({"campaigns": {"mine": CAMPAIGN}}))
    mirror = tmp_path / "mirror/host/owner/name"
    (mirror / "runs").mkdir(parents=True)
    (mirror / "qrels").write_text("1 0 d 1\n")
    (mirror / "runs/a").write_text("1 Q0 d 1 1 t\n")
    given = ("--configfile", "mine.yaml", "--", "results/mine/sources/got")
    there = {"FATHOM_MIRROR": str(tmp_path / "mirror")}
    project_run = project.snakemake(*given, env=there)
    assert project_run.returncode == 0, project_run.stderr[-3000:]
    folder = project.folder / "results/mine/sources/got"
    assert (folder / ".missing.txt").read_text() == "runs/* (1 of 2)\n"
    (mirror / "runs/b").write_text("1 Q0 d 1 1 t\n")
    assert outputs(project.snakemake("--dry-run", *given)) == []  # nobody looks there
    assert outputs(project.snakemake("--dry-run", *given, env=there))[0] == "sources/got"
    assert project.snakemake(*given, env=there).returncode == 0
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["a", "b"]
    assert not (folder / ".missing.txt").exists()
    assert outputs(project.snakemake("--dry-run", *given, env=there)) == []
