"""Configs that Snakemake itself cannot load: the documented command still says what is wrong."""

import subprocess
from pathlib import Path

import pytest

from tests.storage.test_strict_yaml import BAD
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

NAMED = (
    "cp1252", "UTF-16", "a tab", "an open double quote", "a map in itself", "3,000 deep",
    "a bomb of maps",
)  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.copy(tmp_path_factory.mktemp("configs"))


def said(project: Project, *arguments: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        project.command(*arguments), cwd=project.folder, env=project.environment(),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    own = [line for line in done.stderr.splitlines() if not line.startswith("Using ")]
    return done.returncode, own


@pytest.mark.parametrize("name", NAMED)
def test_the_sentence_of_the_plain_command(project: Project, name: str) -> None:
    content, sentence = BAD[name]
    path = Path(project.folder, "mine.yaml")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = sorted(project.folder.iterdir())
    told = [f"fathom: {sentence.replace('FILE', 'mine.yaml')}"]
    assert said(project, "--configfile", "mine.yaml") == (1, told)
    assert sorted(project.folder.iterdir()) == before


def test_a_config_that_is_not_there(project: Project) -> None:
    told = "fathom: no.yaml: there is no such config; check the path after --configfile"
    assert said(project, "-n", "--configfile", "no.yaml") == (1, [told])
