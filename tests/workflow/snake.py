"""Driving Snakemake the way a user does, and asking it what it would run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config", "profiles", "rules", "scripts", "pipeline", "environment.yml")


@dataclass(frozen=True)
class Project:
    """A copy of the workflow in a folder of its own, so that a test may edit anything."""

    folder: Path

    @classmethod
    def copy(cls, folder: Path) -> "Project":
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, folder / part, ignore=ignore)
            else:
                shutil.copy2(source, folder / part)
        return cls(folder)

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Snakemake in the copy, with the copy's own library."""
        return subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: str) -> None:
        done = self.snakemake(*arguments)
        assert done.returncode == 0, done.stderr[-4000:]

    def planned(self, config: str) -> set[str]:
        """The outputs Snakemake would make again, below the campaign's folder."""
        return set(outputs(self.snakemake("--dry-run", "--configfile", config)))


def outputs(done: subprocess.CompletedProcess[str]) -> Sequence[str]:
    assert done.returncode == 0, done.stderr[-4000:]
    text = done.stdout + done.stderr
    if "Nothing to be done" in text:
        return []
    lines = re.findall(r"^    output: (.+)$", text, flags=re.MULTILINE)
    made = [name for line in lines for name in re.split(r", (?=results/)", line)]
    assert made, f"Snakemake plans something, but what?\n{text[-2000:]}"
    return [name.split("/", 2)[2] for name in made]
