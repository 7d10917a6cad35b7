"""Where there can be no Slurm of the tests' own, a sentence says why."""

import os
from pathlib import Path

import pytest

from tests.cluster import daemons


@pytest.fixture(autouse=True)
def _tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in daemons.TOOLS:
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(daemons, "_path", lambda: str(tmp_path))
    monkeypatch.setattr(daemons, "SYSTEM", tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_nothing_is_missing() -> None:
    assert daemons.missing() == ""


def test_tools_are_named(tmp_path: Path) -> None:
    (tmp_path / "munged").unlink()
    (tmp_path / "slurmd").unlink()
    assert daemons.missing() == "no munged, slurmd; `make cluster` installs Slurm"


def test_root_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert daemons.missing() == (
        "Slurm's daemons are started as root; run this as root, in a container if need be"
    )


def test_a_cluster_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("ClusterName=theirs\n")
    assert daemons.missing() == f"this machine has a {tmp_path / 'slurm.conf'} of its own"


def test_a_link_that_a_killed_test_left_is_no_cluster(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").symlink_to(tmp_path / "gone")
    assert daemons.missing() == ""
