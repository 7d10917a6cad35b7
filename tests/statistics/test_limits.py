"""Limits: what ten times the campaign takes of one process, by its own peak of memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeline.storage import sheets
from tests.builders import write_scores

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="Linux says how much it took"
    ),
]

# Not getrusage's ru_maxrss, in which a process inherits what the one that started it had.
MEASURED = """
import re, sys
from pathlib import Path
{work}
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(int(peak) / 1024)
"""


def megabytes(work: str, *arguments: object) -> float:
    """The peak memory of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(work=work), *map(str, arguments)],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return float(done.stdout)


@pytest.mark.parametrize(
    ("runs", "topics", "samples"),
    [
        (1000, 50, 10_000),  # 499,500 pairs: numpy alone took over three minutes for sign flips
        (10, 5000, 2000),  # signs and samples of all topics at once took 1.3 GB
    ],
)
def test_many_runs_and_many_topics_are_tested(
    tmp_path: Path, runs: int, topics: int, samples: int
) -> None:
    rng = np.random.default_rng(1)
    effects = 0.1 * rng.normal(size=(runs, 1)) + 0.2 * rng.normal(size=(1, topics))
    values = 0.4 + effects + 0.1 * rng.normal(size=(runs, topics))
    write_scores(tmp_path / "s.parquet", "M", values)
    found = megabytes(
        """
from pipeline.measures.score_table import read
from pipeline.statistics.significance.step import compare
folder = Path(sys.argv[1])
compare(read(folder / "s.parquet"), pairs=folder / "p.csv", runs=folder / "r.csv",
        summary=folder / "s.csv", alpha=0.05, permutations=int(sys.argv[2]),
        samples=int(sys.argv[2]), seed=1)
""",
        tmp_path,
        samples,
    )
    assert found < 250
    (summary,) = sheets.read(tmp_path / "s.csv")
    assert int(summary["pairs"]) == runs * (runs - 1) // 2
    with (tmp_path / "p.csv").open() as lines:
        assert sum(1 for _ in lines) == 1 + int(summary["pairs"])


def test_three_hundred_measures_are_correlated(tmp_path: Path) -> None:
    """44,850 pairs of measures, two statistics of each kind: all took 9.8 GB at once."""
    rng = np.random.default_rng(1)
    runs, topics, measures = 24, 50, [f"m{number:03}" for number in range(300)]
    base = 0.4 + 0.1 * rng.normal(size=(runs, 1)) + 0.2 * rng.normal(size=(1, topics))
    means = []
    for name in measures:
        values = np.round(base + 0.1 * rng.normal(size=(runs, topics)), 2)
        write_scores(tmp_path / f"{name}.parquet", name, values)
        means.append(values.mean(axis=1).tolist())
    rows = [f"r{run},," + ",".join(repr(one[run]) for one in means) for run in range(runs)]
    (tmp_path / "means.csv").write_text("\n".join(["run,team," + ",".join(measures), *rows, ""]))
    found = megabytes(
        """
from pipeline.statistics.correlation.step import correlate
folder = Path(sys.argv[1])
correlate(folder / "means.csv", out=folder / "c.csv", swaps=folder / "swaps.parquet",
          statistics=["tau_b", "tau_ap", "rbo_a"], scores=sorted(folder.glob("m*.parquet")),
          samples=200, seed=1)
""",
        tmp_path,
    )
    assert found < 740
    with (tmp_path / "c.csv").open() as lines:
        assert sum(1 for _ in lines) == 300 * 299 + 1
