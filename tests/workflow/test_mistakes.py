"""A user's mistake that a step finds: told as ours once, at the end, where it is looked for."""

from pathlib import Path

import pytest

from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

CONFIG = """
campaigns:
  mine:
    runs: {files: runs/*}
    dimensions: {topicality: {labels: q.txt, scale: [0, 1], threshold: 1}}
    measures: [AP]
"""


def test_a_mistake_is_told_once(tmp_path: Path) -> None:
    project = Project.copy(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/a").write_text("1 Q0 d1 1 one a\n")
    (tmp_path / "q.txt").write_text("1 0 d1 1\n")
    (tmp_path / "mine.yaml").write_text(CONFIG)
    done = project.snakemake("--configfile", "mine.yaml")
    assert done.returncode == 1
    told = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]
    assert len(told) == 1
    assert told[0].startswith("fathom: runs/a, line 1: ")
    assert "'one'" in told[0]
    # When it happens Snakemake shows what the step wrote.
    shown = [line for line in done.stderr.splitlines() if line == told[0].removeprefix("fathom: ")]
    assert len(shown) == 1
    assert "Traceback" not in done.stderr
