"""A Slurm for all tests that ask for one, and each campaign made once on this machine alone.

What campaigns took, each with its target, is printed at the end: a busy machine fails no test.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cluster.daemons import Cluster, missing
from tests.conftest import DATA
from tests.real.layout import mirror
from tests.workflow.snake import NONE, ROOT, results

CONFIGS = {
    "demo": "config/config.yaml",
    "simulated": "config/campaigns/simulated.yaml",
    "clef2015": "config/campaigns/clef2015.yaml",
}
PLUGINS = ROOT / ".venv/cluster"  # `make cluster`: what only profiles/slurm-executor needs
HANGS = 1200  # seconds after which a command will not end any more
# Times what the same takes on this machine alone, and seconds more: what Slurm may cost.
TARGETS = {"slurm": (1.5, 30), "allocation": (1.5, 10)}


@dataclass(frozen=True)
class Measured:
    """How long a campaign took through a profile, beside how long it took without."""

    campaign: str
    profile: str
    seconds: float
    alone: float
    jobs: int

    def row(self) -> str:
        """As a line of the table."""
        target = verdict = "-"
        if self.profile in TARGETS:
            factor, more = TARGETS[self.profile]
            most = factor * self.alone + more
            target = f"{most:.0f} = {factor} x alone + {more}"
            verdict = "met" if self.seconds <= most else "missed"
        name = f"{self.campaign:10} {self.profile:15}"
        return f"{name} {self.jobs:4} {self.seconds:8.0f} {self.alone:6.0f}  {target:24} {verdict}"


MEASURED: list[Measured] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured, back to back on one machine, and whether it is what we aim for."""
    if MEASURED:
        terminalreporter.section("campaigns through Slurm")
        head = f"{'campaign':10} {'profile':15} {'jobs':>4} {'seconds':>8} {'alone':>6}  "
        terminalreporter.write_line(f"{head}{'target':24} verdict")
        for one in MEASURED:
            terminalreporter.write_line(one.row())


@dataclass
class Made:
    """A campaign made in a folder of its own, and how long that took."""

    folder: Path
    seconds: float
    said: str
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """The cluster, and where campaigns are made: a folder that all its nodes share."""

    cluster: Cluster
    folder: Path
    mirror: Path

    def environment(self, more: Mapping[str, str] = NONE) -> dict[str, str]:
        """As a user of the cluster has it; the campaigns' files come from a mirror."""
        path = os.pathsep.join([str(ROOT), *([str(PLUGINS)] if more.get("PLUGINS") else [])])
        env = {"FATHOM_MIRROR": str(self.mirror), "PYTHONPATH": path, **more}
        return {**self.cluster.environment, **env}

    def command(self, *arguments: str) -> list[str]:
        """What a user types."""
        start = "from pipeline.command.main import entry; entry()"
        return [sys.executable, "-c", start, *arguments]

    def fathom(self, campaign: str, cluster: str | None = None, *more: str) -> list[str]:
        """The command that makes a campaign."""
        chosen = ["--cluster", cluster] if cluster else ["--cores", "2"]
        return self.command("run", str(ROOT / CONFIGS[campaign]), *chosen, *more)

    def run(
        self, command: Sequence[str], folder: Path, *, more: Mapping[str, str] = NONE
    ) -> subprocess.CompletedProcess[str]:
        """A command in a folder, to its end."""
        return subprocess.run(
            command, cwd=folder, env=self.environment(more), capture_output=True, text=True,
            check=False, timeout=HANGS,
        )  # fmt: skip

    def make(self, campaign: str, cluster: str | None = None) -> Made:
        """Make a campaign from nothing."""
        folder = self.folder / f"{campaign}-{cluster or 'local'}"
        folder.mkdir()
        more = {"PLUGINS": "1"} if cluster == "slurm-executor" else NONE
        began = time.monotonic()
        done = self.run(self.fathom(campaign, cluster), folder, more=more)
        seconds = time.monotonic() - began
        said = done.stdout + done.stderr
        assert done.returncode == 0, said[-6000:]
        return Made(folder, seconds, said, results(folder))

    def jobs(self, *names: str) -> list[dict[str, str]]:
        """What Slurm wrote down of ended jobs with one of these in their name."""
        text = (self.cluster.folder / "jobs.txt").read_text()
        rows = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in text.splitlines()]
        return [row for row in rows if any(name in row["Name"] for name in names)]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The daemons, started for these tests and stopped behind them."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("cluster")
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        files = mirror(DATA, folder / "mirror") if DATA.is_dir() else folder
        yield Site(cluster, folder, files)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def local(site: Site) -> "Local":
    return Local(site)


class Local:
    """Campaigns made on this machine without the cluster, each once, when it is first asked for."""

    def __init__(self, site: Site) -> None:
        self._site, self._made = site, dict[str, Made]()

    def __call__(self, campaign: str) -> Made:
        if campaign not in self._made:
            self._made[campaign] = self._site.make(campaign)
        return self._made[campaign]
