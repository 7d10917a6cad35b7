"""Campaigns through Slurm: the bytes of a run on one machine, in few jobs, and how long it takes.

Times are printed, made back to back on one machine; what is asserted are bytes and jobs.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.cluster.conftest import CONFIGS, Local, Made, Site

pytestmark = pytest.mark.cluster

JOBS = 15  # of the demo, at most
# Times local, plus seconds: what a group of jobs may cost, and one job.
AIMS = {"slurm": (1.5, 30), "allocation": (1.5, 10)}


@pytest.mark.parametrize("campaign", ["demo", "clef2015"])
@pytest.mark.parametrize("profile", ["slurm", "allocation"])
def test_the_same_bytes(
    site: Site, local: Local, campaign: str, profile: str, request: pytest.FixtureRequest
) -> None:
    if campaign == "clef2015":
        request.getfixturevalue("data")
    alone = local(campaign)
    before = len(site.jobs("fathom"))
    made = site.make(campaign, profile)
    jobs = site.jobs("fathom")[before:]
    same(made, alone)
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert len(jobs) == 1 if profile == "allocation" else len(jobs) <= JOBS
    tell(f"{campaign} through {profile}", made, alone, jobs=len(jobs), aim=AIMS[profile])
    if profile == "slurm":
        wanted = {name: memory(jobs, name) for name in ("score", "reusability", "report")}
        print(f"  MB asked for: {wanted}")


def test_simulated_in_one_allocation(site: Site, local: Local) -> None:
    made = site.make("simulated", "allocation")
    same(made, local("simulated"))
    tell("simulated through allocation", made, local("simulated"), jobs=1, aim=AIMS["allocation"])


def test_the_demo_through_the_slurm_executor(site: Site, local: Local) -> None:
    before = len(site.jobs("fathom_"))
    made = site.make("demo", "slurm-executor")
    jobs = site.jobs("fathom_")[before:]
    same(made, local("demo"))
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}, "none had too little memory"
    assert len(re.findall(r"Submitted array job", made.said)) >= 4
    tell("demo through slurm-executor", made, local("demo"), jobs=len(jobs), aim=None)


def test_a_job_killed_for_memory_says_so(site: Site, local: Local) -> None:
    """The user sees it when it happens and again at the end, with what to do about it."""
    folder = local("demo").folder
    (folder / "cluster.yaml").write_text("memory: 0.001\n")
    target = "results/demo/reusability/summary.csv"
    command = site.fathom("demo", "slurm", "--", target, "--forcerun", "reusability")
    done = subprocess.run(
        command, cwd=folder, env=site.environment(), capture_output=True, text=True, check=False
    )
    (folder / "cluster.yaml").unlink()
    assert done.returncode == 1
    told = re.findall(
        r"^fathom: .*demo-reusability \(job \d+\) was killed for .*$", done.stderr, re.M
    )
    assert len(set(told)) == 2, done.stderr[-3000:]  # it is tried twice
    assert len(told) == 4  # and told twice
    assert re.fullmatch(
        r"fathom: demo-reusability \(job \d+\) was killed for memory: it took more than the \d+ MB "
        r"it had asked for; a second try asks for twice as much, and `memory: 2` in cluster\.yaml "
        r"does so from the start",
        told[0],
    )


def test_a_user_s_mistake_is_told_as_on_one_machine(site: Site, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/a").write_text("1 Q0 d1 1 one a\n")
    (tmp_path / "q.txt").write_text("1 0 d1 1\n")
    (tmp_path / "mine.yaml").write_text(
        "campaigns:\n  mine:\n    runs: {files: runs/*, batches: 1}\n    measures: [AP]\n"
        "    dimensions: {topicality: {labels: q.txt, scale: [0, 1], threshold: 1}}\n"
    )
    command = site.fathom("demo", "slurm")
    command[command.index("run") + 1] = "mine.yaml"
    done = subprocess.run(
        command, cwd=tmp_path, env=site.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")][-1]
    assert last.startswith("fathom: runs/a, line 1: "), last


def same(made: Made, alone: Made) -> None:
    """Every result, byte for byte."""
    assert len(alone.files) > 100
    assert [name for name, text in alone.files.items() if made.files.get(name) != text] == []
    assert set(made.files) == set(alone.files)


def tell(what: str, made: Made, alone: Made, *, jobs: int, aim: tuple[float, int] | None) -> None:
    text = f"\n{what}: {made.seconds:.0f} s in {jobs} jobs, on one machine {alone.seconds:.0f} s"
    if aim:
        most = aim[0] * alone.seconds + aim[1]
        met = "met" if made.seconds <= most else "missed"
        text += f"; the aim of {aim[0]} times that and {aim[1]} s is {met} ({most:.0f} s)"
    print(text)


def memory(jobs: list[dict[str, str]], name: str) -> str:
    return next(re.findall(r"mem=(\w+)", job["Tres"])[0] for job in jobs if name in job["Name"])


def test_the_campaigns_are_those_of_the_project() -> None:
    assert set(CONFIGS) == {"demo", "simulated", "clef2015"}
