"""Submit one job of the workflow to Slurm: its name, its resources, and where it writes.

Snakemake calls this with the job's script, which begins with what the job is
(`# properties = {...}`), and reads the number of the job.
"""

import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.storage.cluster import knobs, slurm
from pipeline.storage.lock import submitted

OWN = 400  # MB for Snakemake itself, which runs the steps of a job on the node


def main(arguments: Sequence[str]) -> int:
    """Submit the script; Snakemake wants nothing but the number on standard output."""
    script = Path(arguments[-1])
    try:
        command = sbatch(script, properties(script.read_text()), set_to=knobs.read())
        done = slurm.ask(command)
    except (InputError, slurm.SilentError) as error:
        print(f"fathom: {error}", file=sys.stderr)
        return 1
    if done.returncode:
        print(f"fathom: Slurm refuses a job: {_said(done.stderr)}", file=sys.stderr)
        return 1
    print(done.stdout.strip().split(";")[0])  # a federation adds the cluster's name
    return 0


def properties(script: str) -> dict[str, Any]:
    """What a job is."""
    found = re.search(r"^# properties = (\{.*\})\s*$", script, re.MULTILINE)
    assert found, "Snakemake's script says what the job is"
    told: dict[str, Any] = json.loads(found[1])
    return told


def sbatch(script: Path, job: Mapping[str, Any], *, set_to: knobs.Knobs) -> list[str]:
    """The command, with a name by which orphans are found again."""
    campaign, what = names(job)
    logs = Path("results", campaign, "logs", "slurm").resolve()
    logs.mkdir(parents=True, exist_ok=True)
    submitted(campaign).touch()
    resources = job["resources"]
    options = {
        "--job-name": f"{slurm.prefix(campaign)}-{campaign}-{what}",
        "--output": f"{logs}/{what}.%j.out",  # not .log, which is what a step tells its user
        "--cpus-per-task": job["threads"],
        "--mem": f"{OWN + int(resources['mem_mb'])}M",
        "--time": max(1, int(resources["runtime"])),
        "--partition": set_to.partition,
        "--account": set_to.account,
    }
    given = [f"{option}={value}" for option, value in options.items() if value is not None]
    # A requeued job would start beside the one that Snakemake submits in its place.
    fixed = ["sbatch", "--parsable", "--no-requeue", "--ntasks=1"]
    return [*fixed, *given, *shlex.split(set_to.options), str(script)]


def names(job: Mapping[str, Any]) -> tuple[str, str]:
    """The campaign, or paper, of a job and what it does."""
    if job["type"] == "group":
        group, _, campaign = str(job["groupid"]).partition("-")
        return campaign, group
    wildcards = dict(job["wildcards"])
    owner = str(wildcards.pop("campaign", None) or wildcards.pop("paper"))
    parts = [str(job["rule"]), *(str(value) for value in wildcards.values())]
    return owner, re.sub(r"[^\w.-]+", "_", "-".join(parts))[:80]


def _said(text: str) -> str:
    told = [line.removeprefix("sbatch: ").removeprefix("error: ") for line in text.splitlines()]
    return "; ".join(line.strip() for line in told if line.strip()) or "it does not say why"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
