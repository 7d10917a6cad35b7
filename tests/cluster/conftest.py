"""A Slurm for all tests that ask for one, and campaigns run through it or on this machine alone.

Wall times are printed at the end: a busy machine fails no test.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cluster.daemons import Cluster, missing
from tests.conftest import DATA
from tests.real.layout import mirror
from tests.workflow.snake import ROOT, results

PLUGINS = ROOT / ".venv/cluster"  # `make cluster`: the extra `slurm`
# There is no database of accounts in the tests' Slurm; else `profiles/slurm` is used as it is.
OPTIONS = ("--slurm-status-command", "squeue", "--slurm-no-account")
HANGS = 1200  # seconds after which a command will not end any more

WALL: dict[tuple[str, str], tuple[float, int]] = {}  # seconds and jobs by campaign and way


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The wall times, back to back on one machine."""
    if WALL:
        terminalreporter.section("campaigns through Slurm")
        terminalreporter.write_line(f"{'campaign':10} {'way':12} {'jobs':>5} {'seconds':>8}")
        for (campaign, way), (seconds, jobs) in WALL.items():
            terminalreporter.write_line(f"{campaign:10} {way:12} {jobs:5} {seconds:8.0f}")


@dataclass(frozen=True)
class Site:
    """The cluster, and a folder that all its nodes share."""

    cluster: Cluster
    folder: Path
    mirror: Path

    def environment(self, library: Path = ROOT) -> dict[str, str]:
        """The environment of a user of the cluster; campaigns' files come from a mirror."""
        path = os.pathsep.join(map(str, (library, PLUGINS)))
        env = {"FATHOM_MIRROR": str(self.mirror), "PYTHONPATH": path}
        return {**self.cluster.environment, **env}

    def command(self, campaign: str, *options: str) -> list[str]:
        """The command that runs a campaign."""
        start = "from pipeline.command.main import entry; entry()"
        return [sys.executable, "-c", start, "run", campaign, *options]

    def run(self, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder, to its end."""
        folder.mkdir(exist_ok=True)
        return subprocess.run(
            command, cwd=folder, env=self.environment(), capture_output=True, text=True,
            check=False, timeout=HANGS,
        )  # fmt: skip

    def results(self, campaign: str, way: str, command: list[str]) -> dict[str, bytes]:
        """Run a campaign from nothing, keep the wall time, and read its results."""
        folder, before = self.folder / f"{campaign}-{way}", len(self.jobs(campaign, way))
        began = time.monotonic()
        done = self.run(command, folder)
        WALL[campaign, way] = time.monotonic() - began, len(self.jobs(campaign, way)) - before
        assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
        states = {job["JobState"] for job in self.jobs(campaign, way)}
        assert states <= {"COMPLETED"}, "all had memory and time enough"
        return results(folder)

    def jobs(self, campaign: str, way: str) -> list[dict[str, str]]:
        """Slurm's notes on the ended jobs of a campaign."""
        file, folder = self.cluster.folder / "jobs.txt", self.folder / f"{campaign}-{way}"
        text = file.read_text() if file.is_file() else ""
        rows = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in text.splitlines()]
        return [row for row in rows if row["WorkDir"] == str(folder)]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The daemons, started for these tests and stopped after them."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("cluster").resolve()
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        files = mirror(DATA, folder / "mirror") if DATA.is_dir() else folder
        yield Site(cluster, folder, files)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
