"""Killed and started again: the plain command recovers, and the results are those of a quiet run.

Twenty seeded kills (of the controlling process, of its whole group, of single jobs), spread over
the progress of the demo. Each is followed by the plain command, most of which are killed in their
turn; the last of each chain ends well, with the same bytes as a run that nobody disturbed.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress

import psutil
import pytest

from tests.workflow.snake import Project, results

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

CHAINS, KILLS = 2, 10
KINDS = ("controller", "controller", "group", "job")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.copy(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("chain", range(CHAINS))
def test_killed_and_started_again(project: Project, demo: Project, chain: int) -> None:
    draw = random.Random(f"kills {chain}")
    for name in ("results", ".snakemake"):
        shutil.rmtree(project.folder / name, ignore_errors=True)
    for _ in range(KILLS):
        kill(project, kind=draw.choice(KINDS), after=draw.randrange(0, 3), pause=draw.random() / 3)
    done = project.snakemake()
    assert done.returncode == 0, done.stderr[-4000:]
    assert results(project.folder) == results(demo.folder)
    left = [str(path) for path in (project.folder / "results").rglob(".draft-*")]
    assert left == [], "drafts are left"
    assert "Nothing to be done" in project.snakemake().stderr


def kill(project: Project, *, kind: str, after: int, pause: float) -> None:
    """Start the plain command and kill what `kind` says when it has finished `after` jobs."""
    with subprocess.Popen(
        project.command(), cwd=project.folder, env=project.environment(), text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        finished, told = 0, []
        for line in running.stderr:
            told.append(line)
            finished += line.startswith("Finished jobid")
            if finished >= after and line.startswith(("Select jobs", "Finished jobid")):
                break
        else:
            pytest.fail("it ended before it was killed:\n" + "".join(told)[-3000:])
        time.sleep(pause)
        if kind == "job":
            end_one_job(running.pid)
            running.send_signal(signal.SIGTERM)
            while running.stderr.read(65536):
                pass
            running.wait(60)
        elif kind == "group":
            os.killpg(running.pid, signal.SIGKILL)
        else:
            running.kill()


def end_one_job(controller: int) -> None:
    """Kill the next job that is seen running: a script of ours below the controller."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        for job in psutil.Process(controller).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # it has just ended by itself
                if any(".snakemake/scripts/" in part for part in job.cmdline()):
                    job.kill()
                    return
        time.sleep(0.01)
