"""What the controller does before the first job and after the last."""

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
# What Snakemake prints of a failed job, and Slurm into the output of a job that it ends.
FAILED = re.compile(r"^Error in rule (\w+):\n(?: +.+\n)*? +log: (.+?) \(check", re.MULTILINE)
SLURM = re.compile(r"^slurmstepd\S*: error: (.+)$", re.MULTILINE)


def check_records(campaigns: Mapping[str, Steps], *, papers: Mapping[str, Any]) -> None:
    """Say which results were edited; refuse results whose records Snakemake has lost."""
    for name in (*campaigns, *papers):
        results = Results(Path("results", name))
        if lost(results):
            what = f"Snakemake has no record of how these results were made ({METADATA})"
            fix = " and ".join(map(str, (*damaged(), results.folder / "records")))
            raise InputError(Problem(results.folder, what, f"remove {fix} to rebuild them"))
    for steps in campaigns.values():
        for path in (path for name in steps.names for path in steps[name].altered):
            print(f"fathom: {path} was edited or damaged since it was written; it is rebuilt")


def lost(results: Results) -> bool:
    """Whether Snakemake's records of these results are gone, so that it notices no change."""
    record = results.record("rank")
    steps = (path for path in record.parent.rglob("*.json") if path.stem != "inputs")
    return any(True for _ in steps) and (not mark(record).is_file() or bool(damaged()))


def damaged() -> list[Path]:
    """Snakemake's records that it could not read, and would silently ignore.

    A record that a killed controller left half-written is not among them: its job is incomplete,
    and runs again.
    """
    found = []
    incomplete = {path.name for path in METADATA.with_name("incomplete").rglob("*")}
    for path in (path for path in METADATA.rglob("*") if path.is_file()):
        if path.name in incomplete or path.name.startswith("fathom-"):
            continue
        try:
            json.loads(path.read_bytes())
        except ValueError:
            found.append(path)
    return found


def begin(campaigns: Mapping[str, Steps], *, papers: Mapping[str, Any]) -> None:
    """Be the only controller of these campaigns, and keep the digests of their inputs."""
    for name in (*campaigns, *papers):
        results = Results(Path("results", name))
        LOCKS.append(hold(FOLDER, campaign=name, results=results.folder))
        for path in logs(name):
            path.unlink()  # of an earlier run: what is there at the end is of this one
    os.environ[CONTROLLED] = "1"
    for steps in campaigns.values():
        steps.digests.keep()


def failures(names: Iterable[str], *, said: Iterable[str]) -> list[str]:
    """The problems of failed jobs; a job that ends well leaves its log empty.

    A user's mistakes are one line each; of an error of our own the last line is enough. `said` are
    Snakemake's own logs: they name the output of each failed job, in which Slurm says why it ended
    one.
    """
    found = []
    for path in (path for name in names for path in logs(name)):
        text = path.read_text(encoding="utf-8").strip()
        lines = text.splitlines()
        found += lines[-1:] if text.startswith("Traceback") else lines
    text = "".join(Path(path).read_text(encoding="utf-8") for path in said)
    for rule, listed in FAILED.findall(text):
        fix = f"ask for more after `--`: `--set-resources {rule}:mem_mb=4000 {rule}:runtime=60`"
        for path in (Path(name) for name in listed.split(", ")):
            output = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            if reasons := dict.fromkeys(SLURM.findall(output)):
                found.append(str(Problem(path, ", ".join(reasons), fix)))
    return list(dict.fromkeys(found))


def logs(name: str) -> list[Path]:
    """The logs of the jobs of a campaign or paper."""
    return sorted(Path("results", name).glob("logs/**/*.log"))


def finish(campaigns: Mapping[str, Steps]) -> None:
    """Remove results of what the config no longer has; say if an input changed during the run."""
    for steps in campaigns.values():
        remove(steps.results, [*steps.names, "check", "inputs"])
        if changed := steps.digests.changed():
            what, fix = "changed while the campaign was run", "rerun the same command"
            raise InputError(*(Problem(path, what, fix) for path in changed))


def remove(results: Results, keep: Iterable[str] = ()) -> None:
    """Remove the files and records of all steps but some."""
    records_of_all = results.folder.glob("records/**/*.json")
    outputs = {path: _outputs(path) for path in records_of_all}
    known = {results.record(name) for name in keep}
    kept = {path for record in known for path in outputs.get(record, ())}
    for record in sorted(outputs.keys() - known):
        for path in (path for path in outputs[record] if path not in kept):
            if results.folder in path.parents:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        record.unlink()


def _outputs(record: Path) -> list[Path]:
    found = records.read(record)
    return [Path(path) for path in found.outputs] if found else []
