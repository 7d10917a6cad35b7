"""Results are a function of inputs, config and code: whatever was replaced, edited or lost."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

from pipeline.sources.generators.demo import demo as generate
from tests.workflow.snake import ROOT, Project, results

pytestmark = pytest.mark.workflow

CONFIG = "mine.yaml"
LABELS = "inputs/labels/topicality.qrels"


def config(*measures: str) -> str:
    labels = {"labels": LABELS, "scale": [0, 2], "threshold": 1}
    one = {
        "runs": {"files": "inputs/runs/*"},
        "dimensions": {"topicality": labels},
        "measures": list(measures),
    }
    return yaml.safe_dump({"campaigns": {"mine": one}})


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("records"))
    generate(project.folder / "inputs", seed=7)
    for run in sorted((project.folder / "inputs/runs").iterdir())[4:]:
        run.unlink()
    (project.folder / CONFIG).write_text(config("AP", "P@10"))
    project.run("--configfile", CONFIG)
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A finished campaign that a test may do anything to."""
    return finished.twin(tmp_path / "copy")


def test_labels_replaced_by_older_ones_are_noticed(project: Project) -> None:
    """As `cp -p`, `unzip` and `rsync -a` do it: another content, an older time."""
    path = project.folder / LABELS
    before = path.stat()
    text = path.read_text()
    changed = re.sub(r" 0$", " 2", text, count=1, flags=re.MULTILINE)
    assert changed != text
    path.write_text(changed)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns - 10**12))
    stale = project.stale(CONFIG)
    assert {"labels", "gains", "evaluate/AP", "report"} <= stale == project.planned(CONFIG)


def test_results_that_are_not_what_their_steps_left_are_rebuilt(project: Project) -> None:
    folder = project.folder / "results/mine"
    names = ("means.csv", "gains/topicality.npz", "scores/AP.parquet", "overall/AP.parquet")
    good = {name: (folder / name).read_bytes() for name in names}
    stat = (folder / "means.csv").stat()
    (folder / "means.csv").write_bytes(good["means.csv"].replace(b"0", b"1", 1))
    os.utime(folder / "means.csv", ns=(stat.st_atime_ns, stat.st_mtime_ns - 1))
    (folder / "gains/topicality.npz").write_bytes(good["gains/topicality.npz"][:-20])
    (folder / "scores/AP.parquet").unlink()
    assert {"gains", "evaluate/AP", "correlate"} <= project.stale(CONFIG)
    done = project.snakemake("--configfile", CONFIG)
    assert done.returncode == 0, done.stderr[-3000:]
    said = [line for line in done.stdout.splitlines() if line.startswith("fathom: ")]
    assert [line.split()[1] for line in said] == ["results/mine/gains", "results/mine/means.csv"]
    assert {name: (folder / name).read_bytes() for name in names} == good
    assert project.planned(CONFIG) == set()


def test_results_of_a_dropped_measure_are_removed(project: Project) -> None:
    mine = project.folder / "results/mine/scores/my-own.txt"
    mine.write_text("not of the workflow")
    (project.folder / CONFIG).write_text(config("AP"))
    project.run("--configfile", CONFIG, "--", "results/mine/means.csv")
    left = [path.name for path in mine.parent.iterdir()]
    assert sorted(left) == ["AP.parquet", "my-own.txt"]
    assert not list((project.folder / "results/mine/significance").rglob("P@10*"))


def test_without_records_of_snakemake_nothing_is_trusted(project: Project) -> None:
    """`.snakemake` was not copied along: plain Snakemake refuses, `fathom run` rebuilds."""
    shutil.rmtree(project.folder / ".snakemake")
    before = results(project.folder)
    done = project.snakemake("--configfile", CONFIG)
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]
    assert "results/mine/records" in line
    text = (project.folder / CONFIG).read_text().replace("threshold: 1", "threshold: 2")
    (project.folder / CONFIG).write_text(text)
    done = project.fathom("run", CONFIG, "--", "results/mine/means.csv")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Snakemake has no record" in done.stderr
    after = results(project.folder)
    assert after["mine/means.csv"] != before["mine/means.csv"]
    assert project.planned(CONFIG) == {"judging", "pool", "report"}


def test_a_damaged_record_of_snakemake_is_noticed(project: Project) -> None:
    """Snakemake ignores one, and with it a changed setting of its step."""
    record = next(
        p for p in (project.folder / ".snakemake/metadata").rglob("*") if p.stat().st_size
    )
    record.write_bytes(record.read_bytes()[:-9])
    done = project.snakemake("--configfile", CONFIG)
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]
    assert done.returncode == 1
    assert f".snakemake/metadata/{record.name}" in line
    done = project.fathom("run", CONFIG, "--", "results/mine/labels")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Snakemake has no record" in done.stderr
    assert not record.is_file() or json.loads(record.read_bytes())


def test_a_lock_folder_of_an_earlier_version_is_no_obstacle(project: Project) -> None:
    (project.folder / ".snakemake/fathom/mine").mkdir()
    (project.folder / CONFIG).write_text(config("AP"))
    project.run("--configfile", CONFIG, "--", "results/mine/pool.tsv")


def test_a_dry_run_writes_nothing(project: Project) -> None:
    (project.folder / CONFIG).write_text(config("AP", "RR"))
    folder = project.folder / "results"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert project.planned(CONFIG) == {"evaluate/RR", "correlate", "report", "judging"}
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_second_controller_is_refused(project: Project) -> None:
    lock = project.folder / ".snakemake/fathom/mine.lock"
    (project.folder / CONFIG).write_text(config("AP", "RR"))
    import fcntl

    with lock.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = project.snakemake("--configfile", CONFIG)
    assert done.returncode == 1
    assert "fathom: campaign 'mine' is already running (" in done.stderr


def test_the_workflow_uses_what_snakemake_documents() -> None:
    """Nothing of Snakemake's inside but what its docs name: no cache, scheduler, graph of jobs."""
    files = [ROOT / "Snakefile", *(ROOT / "rules").glob("*.smk"), *(ROOT / "scripts").glob("*.py")]
    used = {
        (path.name, name)
        for path in files
        for name in re.findall(r"\bworkflow\.(\w+)", path.read_text())
        if not re.search(rf"pipeline\.workflow\.{name}\b", path.read_text())
    }
    documented = {"basedir", "current_basedir", "source_path", "configfiles", "is_main_process"}
    assert {name for _, name in used} <= documented
    for path in files:
        assert not re.search(r"iocache|job_rate_limiter|\.dag\b|from snakemake\.(?!utils)",
                             path.read_text()), path  # fmt: skip
    for path in (ROOT / "profiles").rglob("*.yaml"):
        assert "__" not in path.read_text(), path
