"""Driving Snakemake the way a user does, and asking it what it would run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import yaml

from pipeline.campaign import from_config, resolve
from pipeline.storage import records
from pipeline.workflow.code import Graph
from pipeline.workflow.steps import Steps

NONE: Mapping[str, str] = MappingProxyType({})
ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config", "profiles", "rules", "scripts", "pipeline", "environment.yml")


@dataclass(frozen=True)
class Project:
    """A copy of the workflow in a folder of its own, so that a test may edit anything."""

    folder: Path

    @classmethod
    def copy(cls, folder: Path) -> "Project":
        folder.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, folder / part, ignore=ignore)
            else:
                shutil.copy2(source, folder / part)
        return cls(folder)

    def twin(self, folder: Path) -> "Project":
        """A copy with its results and records, for a test that edits them."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Project(folder)

    def stale(self, config: str) -> set[str]:
        """The steps that would run, as the workflow plans them, without starting Snakemake."""
        with chdir(self.folder):
            given = yaml.safe_load(Path(config).read_text())
            (campaign,) = from_config(given).checked().campaigns.values()
            graph = Graph(self.folder / "pipeline")
            steps = Steps(campaign, resolve(campaign), graph, self.folder / "scripts", given)
            return {name for name in steps.names if steps[name].stale or _incomplete(steps, name)}

    def command(self, *arguments: str, cores: int = 2) -> list[str]:
        """The command a user types."""
        return [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]

    def environment(
        self, env: Mapping[str, str] = NONE, path: Sequence[Path] = ()
    ) -> dict[str, str]:
        """The environment with the copy's own library first, and more folders of Python's."""
        folders = os.pathsep.join(str(folder) for folder in (self.folder, *path))
        return {**os.environ, **env, "PYTHONPATH": folders}

    def snakemake(
        self,
        *arguments: str,
        env: Mapping[str, str] = NONE,
        path: Sequence[Path] = (),
        cores: int = 2,
    ) -> subprocess.CompletedProcess[str]:
        """Run Snakemake in the copy, with the copy's own library."""
        return subprocess.run(
            self.command(*arguments, cores=cores),
            cwd=self.folder,
            env=self.environment(env, path),
            capture_output=True,
            text=True,
            check=False,
        )

    def fathom(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command in the copy, with the copy's own library."""
        start = "from pipeline.command.main import entry; entry()"
        return subprocess.run(
            [sys.executable, "-c", start, *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: str) -> None:
        done = self.snakemake(*arguments)
        assert done.returncode == 0, done.stderr[-4000:]

    def planned(self, *configs: str) -> set[str]:
        """The steps that Snakemake would run, by the names of their records."""
        made = outputs(self.snakemake("--dry-run", "--configfile", *configs))
        named = (re.fullmatch(r"records/(.+)\.json", name) for name in made)
        return {found[1] for found in named if found}


def _incomplete(steps: Steps, name: str) -> bool:
    record = records.read(steps[name].record)
    return record is None or not all(Path(path).exists() for path in record.outputs)


def outputs(done: subprocess.CompletedProcess[str]) -> Sequence[str]:
    assert done.returncode == 0, done.stderr[-4000:]
    text = done.stdout + done.stderr
    if "Nothing to be done" in text:
        return []
    lines = re.findall(r"^    output: (.+)$", text, flags=re.MULTILINE)
    made = [name for line in lines for name in re.split(r", (?=results/)", line)]
    assert made, f"Snakemake plans something, but what?\n{text[-2000:]}"
    return [name.split("/", 2)[2] for name in made]


def results(folder: Path) -> dict[str, bytes]:
    """Every result below a project's folder; records, logs and costs of a run are none."""
    found = sorted((folder / "results").rglob("*"))
    named = {str(path.relative_to(folder / "results")): path for path in found if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in named.items()
        if name.split("/")[1] not in ("logs", "benchmarks", "records")
        if path.name != ".snakemake_timestamp"
    }
