"""What must pass before a change lands fails if any part of it does, and says how each closed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, refused

MAKE = """#!/bin/sh
part=$2
case $part in test*) echo "===== some of $part ====="; echo "=== 5 of $part in 1.00s ===" ;; esac
echo "made $part"
test "$part" != "$BROKEN"
"""
PARTS = ["setup", "browser", "tex", "peers", "cluster", "lint", "test", "test-cluster"]
END = [line for p in PARTS[:-3:-1] for line in (f"make {p}:", f"=== 5 of {p} in 1.00s ===")]


def run(folder: Path, *, broken: str = "") -> tuple[int, list[str]]:
    """The exit code of .ci/run and what it says, with a make that does nothing."""
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    (folder / "make").write_text(MAKE)
    (folder / "make").chmod(0o755)
    done = subprocess.run(
        [folder / ".ci/run"], capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "BROKEN": broken},
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


def table(said: list[str]) -> dict[str, str]:
    """How each part ended."""
    at = said.index("part         seconds")
    rows = [line.split() for line in said[at + 1 :] if line.split()[0] in PARTS]
    return {row[0]: " ".join(row[2:]) for row in rows}


def test_every_part_is_made_and_pytest_s_closing_lines_come_last(tmp_path: Path) -> None:
    code, said = run(tmp_path)
    assert code == 0
    assert table(said) == dict.fromkeys(PARTS, "")
    assert [line for line in said if line.startswith("made ")] == [f"made {p}" for p in PARTS]
    assert said[-4:] == END


@pytest.mark.parametrize("broken", ["test", "test-cluster"])
def test_a_failed_test_fails_it_and_how_pytest_closed_is_still_said(
    tmp_path: Path, broken: str
) -> None:
    code, said = run(tmp_path, broken=broken)
    assert code == 1
    made = PARTS[: PARTS.index(broken) + 1]
    assert table(said) == {**dict.fromkeys(made, ""), broken: "failed"}
    assert said[-2:] == END[-2:]


@pytest.mark.parametrize("broken", ["setup", "cluster", "lint"])
def test_without_tools_or_with_remarks_no_test_is_begun(tmp_path: Path, broken: str) -> None:
    code, said = run(tmp_path, broken=broken)
    assert code != 0
    made = PARTS[: PARTS.index(broken) + 1]
    assert table(said) == {**dict.fromkeys(made, ""), broken: "failed"}


@pytest.mark.parametrize(
    ("ci", "reason", "outcome"),
    [("true", "no slurmd; `make cluster` installs Slurm", "failed"),
     ("true", "no real campaign data in ../shared/data", "skipped"),
     ("", "no slurmd; `make cluster` installs Slurm", "skipped")],
)  # fmt: skip
def test_a_missing_tool_fails_where_all_are_installed(
    monkeypatch: pytest.MonkeyPatch, ci: str, reason: str, outcome: str
) -> None:
    monkeypatch.setenv("CI", ci)
    given = pytest.TestReport(
        "x", ("x", 1, "x"), {}, "skipped", ("x", 1, f"Skipped: {reason}"), "setup"
    )
    told = refused(given)
    assert told.outcome == outcome
    if outcome == "failed":
        assert told.longrepr == f"{reason}; in CI every test must run."
