"""Campaigns far larger than any at hand, under a bound of memory that the operating system holds.

Every process of them may take so much and no more; one that asks for more is refused and fails.
"""

import csv
import json
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.generated import Size, dimensions, measures, write

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 10**6
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Linux's bound")]


def bounded(
    *command: str, folder: Path, megabytes: int, check: bool = True
) -> "subprocess.CompletedProcess[str]":
    """Run a command none of whose processes can hold more data than this."""
    bound = megabytes * MEGABYTE
    return subprocess.run(
        [sys.executable, "-c", _WITHIN, str(bound), *command],
        cwd=folder, check=check, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


_WITHIN = """
import os, resource, sys
bound = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def campaign(folder: Path, size: Size, *files: str, megabytes: int) -> dict[str, int]:
    """Make some files of a generated campaign; the peak of each rule's largest job in MB."""
    return made(folder, write(folder, size), *files, megabytes=megabytes)


def made(folder: Path, config: Path, *files: str, megabytes: int) -> dict[str, int]:
    """The same of any campaign called grown."""
    done = bounded(
        "-m", "snakemake", *(f"results/grown/{file}" for file in files), "--cores", "2",
        "--snakefile", str(ROOT / "Snakefile"), "--configfile", str(config),
        folder=folder, megabytes=megabytes, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    benchmarks = folder / "results/grown/benchmarks"
    peaks: dict[str, int] = {}
    for path in benchmarks.rglob("*.json"):
        rule = path.relative_to(benchmarks).parts[0].removesuffix(".json")
        used = json.loads(path.read_text())["memory"] // MEGABYTE
        peaks[rule] = max(used, peaks.get(rule, 0))
    return peaks


def means(folder: Path) -> list[dict[str, str]]:
    with (folder / "results/grown/means.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_bound_holds(tmp_path: Path) -> None:
    """A process that takes more than the bound cannot; children have the same bound."""
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY
    text = "x = bytearray({} * 10**6); print(len(x))"
    child = (
        "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {!r}]).returncode)"
    )
    for megabytes, fits in ((150, True), (400, False)):
        for program in (text.format(megabytes), child.format(text.format(megabytes))):
            done = bounded("-c", program, folder=tmp_path, megabytes=300, check=False)
            assert (done.returncode == 0) is fits, done.stdout
            assert ("MemoryError" in done.stdout) is not fits


def test_a_thousand_runs(tmp_path: Path) -> None:
    size = Size(runs=1000, depth=50)
    peaks = campaign(tmp_path, size, "means.csv", megabytes=1000)
    rows = means(tmp_path)
    assert len(rows) == 1000
    assert list(rows[0]) == ["run", "team", *measures(size)]
    assert len({row["AP"] for row in rows}) > 900
    assert max(peaks.values()) < 1000, peaks


def long_run(folder: Path, *, topics: int, depth: int, documents: int) -> Path:
    """A campaign of one run, in file size alone: topics share the documents of a collection."""
    (folder / "runs").mkdir()
    blocks = [
        b"".join(
            b"T Q0 clueweb12-%05d-%05d %d %d t\n" % (part, n, n + 1, depth - n)
            for n in range(depth)
        )
        for part in range(documents // depth)
    ]
    judged = "".join(f"T 0 clueweb12-P-{7 * n:05d} {n % 3}\n" for n in range(20))
    with (folder / "runs/long").open("wb") as run, (folder / "t.qrels").open("w") as qrels:
        for topic in range(topics):
            name, part = f"{topic:05d}", topic % len(blocks)
            run.write(blocks[part].replace(b"T", name.encode()))
            qrels.write(judged.replace("T", name).replace("P", f"{part:05d}"))
    config = folder / "config.yaml"
    labels = {"labels": "t.qrels", "scale": [0, 2], "threshold": 1}
    runs = {"files": "runs/*"}
    given = {"title": "Long", "runs": runs, "dimensions": {"topicality": labels},
             "measures": ["AP"], "policies": {"depth": depth}}  # fmt: skip
    config.write_text(json.dumps({"campaigns": {"grown": given}}))
    return config


@pytest.mark.parametrize(
    ("topics", "depth", "megabytes"), [(20_000, 1000, 1000), (1000, 10_000, 2000)]
)
def test_a_long_run_is_ranked(tmp_path: Path, topics: int, depth: int, megabytes: int) -> None:
    """20 million lines, and lists of 10,000, as far as labels at every rank: in pieces."""
    config = long_run(tmp_path, topics=topics, depth=depth, documents=1_000_000)
    lines = topics * depth
    files = ("gains", "runs.json", "pool.tsv")
    peaks = made(tmp_path, config, *files, megabytes=megabytes)
    assert max(peaks.values()) < megabytes, peaks
    (facts,) = json.loads((tmp_path / "results/grown/runs.json").read_text())
    assert (facts["lines"], len(facts["topics"])) == (lines, topics)
    with np.load(tmp_path / "results/grown/gains/topicality.npz") as gains:
        assert gains["codes"].shape == (topics, depth)
        assert (gains["codes"] > 1).sum() == 20 * topics
        assert (np.flatnonzero(gains["codes"][-1] > 1) == 7 * np.arange(20)).all()


def test_ten_dimensions(tmp_path: Path) -> None:
    """To what other labels would have made of the ranking, and which runs differ."""
    size = Size(dimensions=10, measures=14)
    files = ("means.csv", "correlations.csv", "judging")
    peaks = campaign(tmp_path, size, *files, megabytes=1000)
    assert len(means(tmp_path)) == size.runs
    with (tmp_path / "results/grown/judging/sweep.csv").open(newline="") as file:
        assert {row["dimension"] for row in csv.DictReader(file)} == set(dimensions(size))
    assert max(peaks.values()) < 1000, peaks


def test_three_hundred_measures(tmp_path: Path) -> None:
    size = Size(measures=300)
    write(tmp_path, size)
    text = """
import json, sys
from pathlib import Path
from pipeline import evaluate
from pipeline.storage.step import process_usage
found = evaluate(
    {name: f"{name}.qrels" for name in ("topicality", "further1")},
    sorted(map(str, Path("runs").iterdir())), json.loads(sys.argv[1]),
    scales={name: "0..2,threshold=1" for name in ("topicality", "further1")},
)
means = [found.overall(measure) for measure in found.measures]
inside = sum(int(((0 <= values) & (values <= 1)).sum()) for values in means)
print(inside, process_usage()["memory"])
"""
    done = bounded("-c", text, json.dumps(measures(size)), folder=tmp_path, megabytes=500)
    count, memory = map(int, done.stdout.split())
    assert count == 300 * size.runs
    assert memory < 500 * MEGABYTE
