"""Campaigns through Slurm: the bytes of a run on one machine; jobs over their limits."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.conftest import HANGS, OPTIONS, Site
from tests.workflow.snake import Project

pytestmark = pytest.mark.cluster

SMALL = """
campaigns:
  small:
    runs: {files: runs/*}
    dimensions: {topicality: {labels: q.txt, scale: [0, 1], threshold: 1}}
    measures: [AP]
"""
# Put before a step's script: more memory than both attempts ask for; more time.
GREEDY = "import time\nroom = b'x' * 1_500_000_000\ntime.sleep(20)\n"
SLOW = "import time\ntime.sleep(300)\n"


def small(folder: Path, *, scores: str = "1.0") -> Path:
    (folder / "runs").mkdir(parents=True)
    (folder / "runs/a").write_text(f"1 Q0 d1 1 {scores} a\n")
    (folder / "q.txt").write_text("1 0 d1 1\n")
    (folder / "small.yaml").write_text(SMALL)
    return folder


@pytest.fixture(scope="module", autouse=True)
def limited(site: Site) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Steps over their memory and over their time: Slurm ends them while other tests run."""
    begun = {}
    for step, text, options in (
        ("labels", GREEDY, ()),
        ("rank", SLOW, ("--retries", "0", "--set-resources", "rank:runtime=1")),
    ):
        project = Project.copy(small(site.folder / f"small-{step}"))
        script = project.folder / f"scripts/{step}.py"
        script.write_text(text + script.read_text())
        options = (f"results/small/records/{step}.json", *options, *OPTIONS)
        begun[step] = subprocess.Popen(
            site.command("small.yaml", "--cluster", "slurm", "--", *options),
            cwd=project.folder, env=site.environment(project.folder),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    yield begun
    for process in begun.values():
        process.kill()
        process.wait()


def test_the_demo_in_one_job_per_step(site: Site) -> None:
    alone = site.results("demo", "local", site.command("demo", "--cores", "2"))
    command = site.command("demo", "--cluster", "slurm", "--", *OPTIONS)
    same(site.results("demo", "slurm", command), alone)
    assert len(site.jobs("demo", "slurm")) > 20


@pytest.mark.usefixtures("data")
def test_clef2015_in_one_allocation(site: Site) -> None:
    command = site.command("clef2015", "--cores", "2")
    alone = site.results("clef2015", "local", command)
    inside = subprocess.list2cmdline(command)
    asked = ["--cpus-per-task", "2", "--mem", "4G", "--time", "60"]
    allocation = ["sbatch", "--wait", *asked, "--wrap", inside]
    same(site.results("clef2015", "allocation", allocation), alone)
    assert len(site.jobs("clef2015", "allocation")) == 1


def same(ours: dict[str, bytes], alone: dict[str, bytes]) -> None:
    """Compare every result, byte for byte."""
    assert len(alone) > 100
    assert [name for name, text in alone.items() if ours.get(name) != text] == []
    assert set(ours) == set(alone)


def test_a_mistake_in_an_input_is_printed_as_on_one_machine(site: Site, tmp_path: Path) -> None:
    small(tmp_path, scores="one")
    target = "results/small/records/rank.json"
    options = ("--cluster", "slurm", "--", target, "--retries", "0", *OPTIONS)
    done = site.run(site.command("small.yaml", *options), tmp_path)
    assert done.returncode == 1
    last = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")][-1]
    assert last.startswith("fathom: runs/a, line 1: "), last


def test_a_job_over_its_memory_is_retried_with_twice_as_much(
    site: Site, limited: dict[str, subprocess.Popen[str]]
) -> None:
    """Then it fails, with Slurm's own reason for each attempt."""
    output, _ = limited["labels"].communicate(timeout=HANGS)
    assert limited["labels"].returncode == 1, output
    told = re.findall(r"^fathom: \S*/(\d+)\.log: .*exceeded memory limit.*$", output, re.MULTILINE)
    assert len(told) == 2, output[-3000:]
    memory, minutes = zip(*(asked(site, job) for job in told), strict=True)
    assert memory[1] == 2 * memory[0]
    assert minutes[1] == 2 * minutes[0]


def test_a_job_over_its_time_is_named_with_slurm_s_reason(
    limited: dict[str, subprocess.Popen[str]],
) -> None:
    output, _ = limited["rank"].communicate(timeout=HANGS)
    assert limited["rank"].returncode == 1, output
    assert re.search(r"^fathom: \S*rank\S*\.log: .*DUE TO TIME LIMIT", output, re.MULTILINE), output


def asked(site: Site, job: str) -> tuple[int, int]:
    """Memory in MB and minutes that a job asked for."""
    text = site.cluster.ask("scontrol", "show", "job", job)
    memory = re.search(r"MinMemoryNode=(\d+)M", text)
    limit = re.search(r"TimeLimit=(\d+):(\d+):00", text)
    assert memory, text
    assert limit, text
    return int(memory[1]), 60 * int(limit[1]) + int(limit[2])
