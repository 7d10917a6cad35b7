"""Everything people read is in the field's words: no glossary of our own is needed to read it."""

import subprocess
from pathlib import Path

import click
import pytest

from pipeline.command.main import COMMANDS, fathom
from tests.language import ROOT, dialect, prose, script, sentences, template


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    paths = [Path(name) for name in listed if name and (ROOT / name).is_file()]
    if not paths:
        pytest.skip("an archive without git")
    return paths


def test_the_words_are_recognised() -> None:
    """Without this the test of a text without words would pass with the list empty."""
    for text in (
        "The runs are not told apart.", "42 runs are not at hand", "what is odd", "it is made anew",
        "every two runs", "documents nobody judged", "a room of the report", "the bug is no error.",
    ):  # fmt: skip
        assert dialect(text), text
    assert not dialect("Runs that share a letter do not differ significantly.")


@pytest.mark.parametrize("path", tracked("*.md"), ids=str)
def test_pages(path: Path) -> None:
    assert dialect(prose((ROOT / path).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", tracked("pipeline/*.j2", "pipeline/*.txt"), ids=str)
def test_templates(path: Path) -> None:
    if path.match("pipeline/sources/demo/*"):
        return  # the generated collection's own words
    assert dialect(template((ROOT / path).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", tracked("pipeline/*.js"), ids=str)
def test_scripts_of_the_report(path: Path) -> None:
    texts = script((ROOT / path).read_text(encoding="utf-8"))
    assert [passage for text in texts for passage in dialect(text)] == []


def test_messages() -> None:
    """Whatever a module may print, in one list."""
    found = {
        f"{path}: {passage}"
        for path in tracked("pipeline/*.py")
        for text in sentences(ROOT / path)
        for passage in dialect(text)
    }
    assert sorted(found) == []


@pytest.mark.parametrize("path", tracked("config/*.yaml", "pipeline/*.yaml", "Makefile"), ids=str)
def test_comments_of_files_that_users_edit(path: Path) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert dialect(" ".join(line.partition("#")[2] for line in lines)) == []


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_help_of_every_command(name: str) -> None:
    parent = click.Context(fathom, info_name="fathom")
    command = fathom.get_command(parent, name)
    assert command is not None
    with click.Context(command, info_name=name, parent=parent) as context:
        assert dialect(command.get_help(context)) == []
