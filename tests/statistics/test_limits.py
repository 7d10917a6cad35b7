"""Limits: what ten times the campaign takes of one process, by its own peak of memory."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.builders import write_scores

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="Linux says how much it took"
    ),
]

# Not getrusage's ru_maxrss, in which a process inherits what the one that started it had.
MEASURED = """
import json, re, sys, time
from pathlib import Path
{work}
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(json.dumps({{"seconds": time.process_time(), "megabytes": int(peak) / 1024}}))
"""


def measured(work: str, *arguments: object) -> dict[str, float]:
    """CPU seconds and peak memory of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(work=work), *map(str, arguments)],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, float] = json.loads(done.stdout)
    return found


def test_a_thousand_runs_on_fifty_topics_are_tested(tmp_path: Path) -> None:
    """499,500 pairs by every test: numpy alone took over three minutes for the sign flips."""
    rng = np.random.default_rng(1)
    effects = 0.1 * rng.normal(size=(1000, 1)) + 0.2 * rng.normal(size=(1, 50))
    write_scores(tmp_path / "s.parquet", "M", 0.4 + effects + 0.1 * rng.normal(size=(1000, 50)))
    found = measured(
        """
from pipeline.statistics.significance import compare
folder = Path(sys.argv[1])
compare(folder / "s.parquet", pairs=folder / "p.csv", runs=folder / "r.csv",
        summary=folder / "s.json", alpha=0.05, permutations=10_000, samples=10_000, seed=1)
""",
        tmp_path,
    )
    assert found["megabytes"] < 250
    assert found["seconds"] < 90  # about 27 on a quiet machine
    told = json.loads((tmp_path / "s.json").read_text())
    assert told["pairs"] == 499_500
    with (tmp_path / "p.csv").open() as lines:
        assert sum(1 for _ in lines) == 499_501
