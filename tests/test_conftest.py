"""What the tests' own conftest promises: in CI nothing is skipped for want of a tool."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SKIPPING = """
import pytest

@pytest.mark.skipif(True, reason="chromium is not installed; `make browser` installs it")
def test_by_mark(): ...

def test_by_import():
    pytest.importorskip("no_such_module", reason="the peer is not installed")

@pytest.mark.skipif(True, reason="no real campaign data in ../shared/data")
def test_of_data(): ...

@pytest.mark.xfail
def test_that_fails():
    assert False
"""
MODULE = "import pytest\npytest.importorskip('no_such_module', reason='the peer is not there')\n"


@pytest.mark.parametrize(
    ("ci", "closing", "failed"),
    [
        (None, "4 skipped, 1 xfailed", 0),
        ("true", "1 failed, 1 skipped, 1 xfailed, 2 errors", 3),
    ],
)
def test_a_skip_fails_in_ci_but_for_the_data(
    tmp_path: Path, ci: str | None, closing: str, failed: int
) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.conftest import pytest_make_collect_report, pytest_runtest_makereport\n"
    )
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    (tmp_path / "test_module.py").write_text(MODULE)
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment |= {"PYTHONPATH": str(ROOT)} | ({"CI": ci} if ci else {})
    # pytest keeps its own notes in PYTEST_*; the inner one must not find them
    environment = {name: v for name, v in environment.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
            *("--continue-on-collection-errors", "--rootdir", str(tmp_path), str(tmp_path)),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert closing in done.stdout.splitlines()[-1], done.stdout
    assert done.stdout.count("in CI every test must run.") >= failed
    assert bool(done.returncode) == bool(failed)
