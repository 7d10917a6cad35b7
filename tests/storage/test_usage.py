"""A job's own figures: exact where Snakemake's samples are not."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAM = """
import time
from pathlib import Path
from pipeline.storage import step
if {megabytes}:
    held = bytearray(10**6 * {megabytes})  # zeros are touched by the allocation of a bytearray
    held[::4096] = b"x" * len(held[::4096])
    del held
until = time.process_time() + {seconds}
while time.process_time() < until:
    pass
step.keep_usage(Path("logs/deep/RBP_p=0.8.log"))
"""


def test_the_peak_counts_though_it_is_over(tmp_path: Path) -> None:
    """And it is this program's: a child is not as large as the process that started it."""
    ours = np.ones(50_000_000)  # 400 MB
    found = []
    for megabytes, seconds in ((0, 0), (300, 0.5)):
        text = PROGRAM.format(megabytes=megabytes, seconds=seconds)
        subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True)
        found.append(json.loads((tmp_path / "benchmarks/deep/RBP_p=0.8.json").read_text()))
    small, large = found
    assert ours.nbytes > small["memory"] > 1_000_000
    assert small["memory"] < 100_000_000
    # What is held counts in full; how much of the interpreter's files is resident differs a little.
    assert large["memory"] > 300_000_000
    assert large["memory"] - small["memory"] < 330_000_000
    assert 0.45 < large["cpu"] - small["cpu"] < 2


def test_children_count(tmp_path: Path) -> None:
    text = f"""
import subprocess, sys
from pathlib import Path
from pipeline.storage import step
subprocess.run([sys.executable, "-c", "x = b'x' * 200_000_000; sum(range(3_000_000))"], check=True)
print(step.process_usage()["memory"])
step.keep_usage(Path({str(tmp_path / "x.log")!r}))
"""
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    assert int(done.stdout) > 200_000_000
    assert list(tmp_path.iterdir()) == []  # a log elsewhere has no benchmark beside it
