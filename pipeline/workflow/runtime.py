"""The tasks of the controller before the first job and after the last."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from pipeline.errors import InputError, Problem
from pipeline.results import Results
from pipeline.storage import records
from pipeline.storage.lock import FOLDER, hold
from pipeline.storage.step import CONTROLLED, METADATA, mark
from pipeline.workflow.steps import Steps

LOCKS: list[IO[str]] = []
# Snakemake's message for a failed job, and Slurm's in the output of a job that it kills.
FAILED = re.compile(r"^Error in rule (\w+):\n(?: +.+\n)*? +log: (.+?) \(check", re.MULTILINE)
SLURM = re.compile(r"^slurmstepd\S*: error: (.+)$", re.MULTILINE)


def check_records(campaigns: Mapping[str, Steps], *, papers: Mapping[str, Any]) -> None:
    """Print which results were edited; raise if Snakemake's records of results are lost."""
    for name in (*campaigns, *papers):
        results = Results(Path("results", name))
        if lost(results):
            what = f"Snakemake's records of these results are missing or damaged ({METADATA})"
            fix = " and ".join(map(str, (*damaged(), results.folder / "records")))
            raise InputError(Problem(results.folder, what, f"remove {fix} to rebuild them"))
    for steps in campaigns.values():
        for path in (path for name in steps.names for path in steps[name].altered):
            print(f"fathom: {path} was edited or damaged since it was written; rebuilding it")


def lost(results: Results) -> bool:
    """Whether Snakemake's records of these results are lost, so it would not detect changes."""
    record = results.record("rank")
    steps = (path for path in record.parent.rglob("*.json") if path.stem != "inputs")
    return any(True for _ in steps) and (not mark(record).is_file() or bool(damaged()))


def damaged() -> list[Path]:
    """The records that Snakemake cannot parse and would silently ignore.

    Records of incomplete jobs are excluded: Snakemake reruns those jobs.
    """
    files = []
    incomplete = {path.name for path in METADATA.with_name("incomplete").rglob("*")}
    for path in (path for path in METADATA.rglob("*") if path.is_file()):
        if path.name in incomplete or path.name.startswith("fathom-"):
            continue
        try:
            json.loads(path.read_bytes())
        except ValueError:
            files.append(path)
    return files


def begin(campaigns: Mapping[str, Steps], *, papers: Mapping[str, Any]) -> None:
    """Lock these campaigns, remove old logs, and store the digests of the inputs."""
    for name in (*campaigns, *papers):
        LOCKS.append(hold(FOLDER, campaign=name, results=Path("results", name)))
        for path in logs(name):
            path.unlink()  # at the end, all logs are of this run
    os.environ[CONTROLLED] = "1"
    for steps in campaigns.values():
        steps.digests.keep()


def failures(names: Iterable[str], *, snakemake_logs: Iterable[str]) -> list[str]:
    """The problems of failed jobs; the log of a successful job is empty.

    Input errors are one line each; of a traceback the last line is used. `snakemake_logs` name the
    output of each failed job, in which Slurm writes why it killed the job.
    """
    problems = []
    for path in (path for name in names for path in logs(name)):
        text = path.read_text(encoding="utf-8").strip()
        lines = text.splitlines()
        problems += lines[-1:] if text.startswith("Traceback") else lines
    text = "".join(Path(path).read_text(encoding="utf-8") for path in snakemake_logs)
    for rule, outputs in FAILED.findall(text):
        fix = f"request more after `--`: `--set-resources {rule}:mem_mb=4000 {rule}:runtime=60`"
        for path in (Path(name) for name in outputs.split(", ")):
            output = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            if reasons := dict.fromkeys(SLURM.findall(output)):
                problems.append(str(Problem(path, ", ".join(reasons), fix)))
    return list(dict.fromkeys(problems))


def logs(name: str) -> list[Path]:
    """The logs of the jobs of a campaign or paper."""
    return sorted(Path("results", name).glob("logs/**/*.log"))


def finish(campaigns: Mapping[str, Steps]) -> None:
    """Remove results that the config no longer has; raise if an input changed during the run."""
    for steps in campaigns.values():
        remove(steps.results, [*steps.names, "check", "inputs"])
        if changed := steps.digests.changed():
            what, fix = "changed during the run", "rerun the same command"
            raise InputError(*(Problem(path, what, fix) for path in changed))


def remove(results: Results, keep: Iterable[str] = ()) -> None:
    """Remove the files and records of all steps but some."""
    read = ((path, records.read(path)) for path in results.folder.glob("records/**/*.json"))
    outputs = {path: [*map(Path, record.outputs)] if record else [] for path, record in read}
    current = {results.record(name) for name in keep}
    outputs_kept = {path for record in current for path in outputs.get(record, ())}
    for record in sorted(outputs.keys() - current):
        for path in (path for path in outputs[record] if path not in outputs_kept):
            if results.folder in path.parents:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        record.unlink()
