"""Configs that are not YAML, or too good for it: refused before any job, nothing written."""

from pathlib import Path

import pytest

from tests.storage.test_strict_yaml import BAD
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.copy(tmp_path_factory.mktemp("configs"))


@pytest.mark.parametrize("name", ["a tab", "3,000 deep"])
def test_a_config_that_cannot_be_read(project: Project, name: str) -> None:
    """`fathom run` names file and line before Snakemake starts."""
    content, lines, word = BAD[name]
    path = Path(project.folder, "mine.yaml")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = sorted(project.folder.iterdir())
    done = project.fathom("run", "mine.yaml")
    (said,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert said.startswith(f"fathom: mine.yaml, line {lines[0]}: ")
    assert word in said
    assert sorted(project.folder.iterdir()) == before


def test_a_key_twice_is_refused_by_plain_snakemake_too(project: Project) -> None:
    """Snakemake itself would take the last one."""
    content, lines, _ = BAD["a key twice"]
    assert isinstance(content, str)
    Path(project.folder, "mine.yaml").write_text(content)
    done = project.snakemake("--configfile", "mine.yaml")
    said = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]
    assert done.returncode == 1
    places = [line.split(":")[1] for line in said]
    assert [place.rpartition("/")[2] for place in places] == [f"mine.yaml, line {n}" for n in lines]
    assert "Traceback" not in done.stderr
    assert not Path(project.folder, "results").exists()
