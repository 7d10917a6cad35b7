"""When Snakemake looks for the next jobs: on one machine when one ends, and only then."""

import json
from pathlib import Path

import pytest

from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

# Counts the looks of the controlling process; jobs start Python, too, but not Snakemake.
COUNTER = """
import atexit, json, os, sys

if "snakemake" in sys.orig_argv:
    from snakemake.scheduling.job_scheduler import JobScheduler

    found = {"looks": 0, "limit": None}
    look = JobScheduler.job_selector

    def counted(self, jobs):
        limit = self.job_rate_limiter
        found.update(looks=found["looks"] + 1, limit=limit and limit.max_jobs)
        return look(self, jobs)

    JobScheduler.job_selector = counted
    atexit.register(lambda: open(os.environ["LOOKS"], "w").write(json.dumps(found)))
"""


def looked(folder: Path, target: str, *arguments: str) -> tuple[dict[str, int | None], int]:
    """How often Snakemake looked under which limit, and how many jobs it ran."""
    project = Project.copy(folder / "project")
    (folder / "counter").mkdir()
    (folder / "counter/sitecustomize.py").write_text(COUNTER)
    note = folder / "looks.json"
    done = project.snakemake(
        *arguments, "--", f"results/demo/{target}",
        env={"LOOKS": str(note)}, path=[folder / "counter"], cores=1,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    benchmarks = (project.folder / "results/demo/benchmarks").rglob("*.tsv")
    return json.loads(note.read_text()), len(list(benchmarks))


def test_each_job_that_ends_is_one_look(tmp_path: Path) -> None:
    found, jobs = looked(tmp_path, "pool.tsv")
    assert jobs > 5
    assert found["limit"] is None
    assert 0 < found["looks"] <= jobs + 1


def test_a_limit_that_was_asked_for_stays(tmp_path: Path) -> None:
    found, _ = looked(tmp_path, "topics.tsv", "--max-jobs-per-timespan", "50/1s")
    assert found["limit"] == 50
