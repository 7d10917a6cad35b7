"""What goes wrong on a cluster while a campaign is made, and that its results are the same after.

One campaign through it all: a job cancelled, a job's process killed, the controlling process
killed, Slurm's controller gone for a while, the node drained and resumed.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cluster.conftest import Local, Site
from tests.workflow.snake import results

pytestmark = pytest.mark.cluster


def _interruptible() -> None:
    """As in a terminal: a shell's background jobs, and what they start, ignore interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Run:
    """A command that runs, with what it has said so far in a file."""

    def __init__(self, site: Site, folder: Path, log: str) -> None:
        self.site, self.log = site, folder / log
        with self.log.open("w") as file:
            self.process = subprocess.Popen(
                site.fathom("simulated", "slurm"), cwd=folder, env=site.environment(), stdout=file,
                stderr=file, start_new_session=True, preexec_fn=_interruptible,
            )  # fmt: skip

    @property
    def said(self) -> str:
        return self.log.read_text()

    def until(self, fact: Callable[[], object], what: str, *, seconds: float = 300) -> None:
        until = time.monotonic() + seconds
        while not fact():
            assert self.process.poll() is None, f"it ended before {what}: {self.said[-3000:]}"
            assert time.monotonic() < until, f"{what} did not come: {self.said[-3000:]}"
            time.sleep(0.2)

    def job(self, name: str, state: str = "RUNNING") -> str:
        """The number of a job in a state."""
        queue = self.site.cluster.ask("squeue", "--noheader", f"--states={state}", "--format=%i|%j")
        found = [row.split("|")[0].strip() for row in queue.splitlines() if f"-{name}" in row]
        return found[0] if found else ""


@pytest.fixture
def folder(site: Site, request: pytest.FixtureRequest) -> Path:
    made = site.folder / str(request.node.name)
    made.mkdir()
    return made


def test_after_everything_that_went_wrong_the_same_bytes(
    site: Site, local: Local, folder: Path
) -> None:
    cluster = site.cluster
    alone = local("simulated")
    first = Run(site, folder, "first.log")

    # A job is cancelled by somebody, and tried again.
    first.until(lambda: first.job("prepare"), "a job to cancel")
    number = first.job("prepare")
    cluster.ask("scancel", number)
    first.until(lambda: f"(job {number}) ended as cancelled" in first.said, "the word on it")
    first.until(lambda: first.job("prepare", "RUNNING,PENDING"), "its second try")

    # A step's process is killed; the job fails, and is tried again.
    first.until(lambda: first.job("score"), "the next job")
    number = first.job("score")
    locks = folder / ".snakemake/fathom/simulated/jobs"
    first.until(lambda: any(locks.glob("*.*")), "a step of it")
    os.kill(int(next(locks.glob("*.*")).name.rpartition(".")[2]), signal.SIGKILL)
    first.until(lambda: first.job("score") not in ("", number), "its second try")

    # The controlling process is killed; its job lives on.
    orphan = first.job("score")
    controller = (folder / ".snakemake/fathom/simulated/controller").read_text().split()[1]
    os.kill(int(controller), signal.SIGKILL)
    assert first.process.wait(30) == 1
    assert first.job("score") == orphan

    # The same command cancels it by its name, before it submits anything; the node is drained
    # meanwhile, so that new jobs wait.
    host = cluster.ask("hostname").strip().split(".")[0]
    cluster.ask("scontrol", "update", f"nodename={host}", "state=drain", "reason=a test")
    second = Run(site, folder, "second.log")
    second.until(lambda: second.job("score", "PENDING"), "a job that waits for the node")
    said = "fathom: campaign 'simulated': cancelled 1 jobs that a run which was killed had left: "
    assert f"{said}{orphan}\n" in second.said
    assert second.job("score", "PENDING") != orphan

    # Slurm's controller is away for a while, and what it does not say fails no job.
    cluster.stop_one("slurmctld")
    second.until(lambda: "does not answer; it counts as running" in second.said, "the silence")
    cluster.start_controller()
    cluster.ask("scontrol", "update", f"nodename={host}", "state=resume")
    assert second.process.wait(300) == 0, second.said[-4000:]

    assert results(folder) == alone.files
    assert cluster.ask("squeue", "--noheader").strip() == ""
    left = [str(path) for path in (folder / "results").rglob(".draft-*")]
    assert left == [], "drafts are left"
    states = {job["JobState"] for job in site.jobs("-simulated-")}
    assert {"COMPLETED", "CANCELLED", "FAILED"} <= states
    assert "Trying to restart" not in second.said, "no job failed because nobody answered"


def test_a_second_one_is_refused_and_an_interrupt_cancels_the_jobs(
    site: Site, folder: Path
) -> None:
    run = Run(site, folder, "first.log")
    run.until(lambda: run.job("source"), "a job")
    number = run.job("source")
    done = site.run(site.fathom("simulated", "slurm"), folder)
    assert done.returncode == 1
    assert re.search(r"fathom: campaign 'simulated' is being made by process \d+ on ", done.stderr)
    states = site.cluster.ask("scontrol", "--oneliner", "show", "job", number)
    assert "CANCELLED" not in states

    os.killpg(run.process.pid, signal.SIGINT)  # as the terminal does
    run.process.wait(60)
    site.cluster.wait(lambda: not site.cluster.ask("squeue", "--noheader").strip(), "no job")
    assert not re.search(r"Traceback", run.said)
