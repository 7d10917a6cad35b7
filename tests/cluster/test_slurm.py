"""Campaigns through Slurm: the bytes of a run on one machine, in few jobs.

`simulated` goes through `slurm` in `test_faults.py`, with all that can go wrong on the way.
"""

import re
from pathlib import Path

import pytest

from tests.cluster.conftest import CONFIGS, MEASURED, Local, Made, Measured, Site
from tests.workflow.everything import CONFIG, prepare

pytestmark = pytest.mark.cluster

JOBS = 15  # of the demo, at most


@pytest.mark.parametrize("profile", ["slurm", "allocation"])
def test_the_demo(site: Site, local: Local, profile: str) -> None:
    _, jobs = through(site, local, "demo", profile)
    assert len(jobs) == 1 if profile == "allocation" else len(jobs) <= JOBS


@pytest.mark.parametrize("profile", ["slurm", "allocation"])
@pytest.mark.usefixtures("data")
def test_clef2015(site: Site, local: Local, profile: str) -> None:
    _, jobs = through(site, local, "clef2015", profile)
    assert len(jobs) == 1 if profile == "allocation" else len(jobs) <= JOBS


def test_simulated_in_one_allocation(site: Site, local: Local) -> None:
    _, jobs = through(site, local, "simulated", "allocation")
    assert len(jobs) == 1


def test_the_demo_through_the_slurm_executor(site: Site, local: Local) -> None:
    made, _ = through(site, local, "demo", "slurm-executor")
    assert len(re.findall(r"Submitted array job", made.said)) >= 4


SMALL = """
campaigns:
  small:
    runs: {files: inputs/runs/*}
    dimensions: {topicality: {labels: inputs/labels/topicality.qrels, scale: [0, 2], threshold: 1}}
    measures: [AP]
"""


def test_everything_of_two_campaigns_at_once(site: Site, tmp_path: Path) -> None:
    """Pages of pooled documents, fusion, judgement sets, costs, variations: all of it is made."""
    prepare(tmp_path)
    (tmp_path / "small.yaml").write_text(SMALL)
    command = site.command("run", CONFIG, "small.yaml", "--cluster", "slurm")
    done = site.run(command, tmp_path)
    assert done.returncode == 0, done.stderr[-6000:]
    folder = str(tmp_path.resolve())
    states = [job["JobState"] for job in site.jobs("fathom") if folder == job["WorkDir"]]
    assert set(states) == {"COMPLETED"}
    left = site.run(site.command("run", CONFIG, "small.yaml", "--dry-run"), tmp_path)
    assert "Nothing to be done" in left.stdout + left.stderr


def test_a_job_killed_for_memory_says_so(site: Site, local: Local) -> None:
    """The user sees it when it happens and again at the end, with what to do about it."""
    folder = local("demo").folder
    # Less than Snakemake itself takes, so that no saving elsewhere lets the job live.
    (folder / "cluster.yaml").write_text("options: --mem=100M\n")
    target = "results/demo/reusability/summary.csv"
    command = site.fathom("demo", "slurm", "--", target, "--forcerun", "reusability")
    done = site.run(command, folder)
    (folder / "cluster.yaml").unlink()
    assert done.returncode == 1
    told = re.findall(
        r"^fathom: .*demo-reusability \(job \d+\) was killed for .*$", done.stderr, re.M
    )
    assert len(set(told)) == 2, done.stderr[-3000:]  # it is tried twice
    assert re.fullmatch(
        r"fathom: demo-reusability \(job \d+\) was killed for memory: it took more than the 100 MB "
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
    done = site.run(site.command("run", "mine.yaml", "--cluster", "slurm"), tmp_path)
    assert done.returncode == 1
    last = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")][-1]
    assert last.startswith("fathom: runs/a, line 1: "), last


def through(
    site: Site, local: Local, campaign: str, profile: str
) -> tuple[Made, list[dict[str, str]]]:
    """Make a campaign, compare every result with those of one machine; with its jobs."""
    alone = local(campaign)
    before = len(site.jobs("fathom"))
    made = site.make(campaign, profile)
    jobs = site.jobs("fathom")[before:]
    same(made.files, alone.files)
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}, "all had memory and time enough"
    MEASURED.append(Measured(campaign, profile, made.seconds, alone.seconds, len(jobs)))
    return made, jobs


def same(made: dict[str, bytes], alone: dict[str, bytes]) -> None:
    """Every result, byte for byte."""
    assert len(alone) > 100
    assert [name for name, text in alone.items() if made.get(name) != text] == []
    assert set(made) == set(alone)


def test_the_campaigns_are_those_of_the_project() -> None:
    assert set(CONFIGS) == {"demo", "simulated", "clef2015"}
