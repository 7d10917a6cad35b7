"""What has become of a job: `running`, `success` or `failed`, and if that, a sentence about why.

A controller that does not answer says nothing about the job, which therefore counts as running.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.errors import InputError
from pipeline.storage.cluster import knobs, slurm
from pipeline.storage.lock import tell

_LIVES = {
    "PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING",
    "SIGNALING", "STAGE_OUT", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD",
}  # fmt: skip
_PAUSES = (1.0, 2.0, 4.0)  # asked again soon anyway
_TAIL = 20_000  # characters of the output's end


def main(arguments: Sequence[str]) -> int:
    """Answer for one job; Snakemake reads one word."""
    job = arguments[-1]
    try:
        facts = facts_of(job)
    except (slurm.SilentError, InputError) as error:
        print(f"fathom: job {job}: {error}; it counts as running", file=sys.stderr)
        print("running")
        return 0
    word, sentence = verdict(job, facts)
    if sentence:
        if campaign := _campaign(facts):
            tell(campaign, sentence)
        print(f"fathom: {sentence}", file=sys.stderr)
    print(word)
    return 0


def facts_of(job: str) -> dict[str, str]:
    """What the controller knows of a job; what it has forgotten, the accounts may know."""
    done = slurm.ask(["scontrol", "--oneliner", "show", "job", job], pauses=_PAUSES)
    if done.returncode == 0 and done.stdout.strip():
        return dict(re.findall(r"(\w[\w/:]*)=(\S*)", done.stdout))
    asked = ["sacct", "--noheader", "--allocations", "--parsable2", "--format=State", "--job", job]
    states = slurm.ask(asked, pauses=()).stdout.split("\n")[0].split()
    return {"JobState": states[0]} if states else {}


def verdict(job: str, facts: Mapping[str, str]) -> tuple[str, str]:
    """The word, and for a failed job the sentence."""
    state = facts.get("JobState", "").rstrip("+")
    if state == "COMPLETED":
        return "success", ""
    if state in _LIVES:
        return "running", ""
    name = f"{facts.get('JobName', '').partition('-')[2].partition('-')[2] or 'a step'} (job {job})"
    if not state:
        return "failed", (
            f"{name}: Slurm has forgotten it; run the same command again, which makes what is "
            "missing"
        )
    output = facts.get("StdOut", "")
    if state == "OUT_OF_MEMORY" or slurm.killed_for_memory(_end(output)):
        return "failed", (
            f"{name} was killed for memory: it took more than the {_asked(facts)} it had asked "
            f"for; a second try asks for twice as much, and `memory: 2` in {knobs.FILE} does so "
            "from the start"
        )
    if state == "TIMEOUT":
        return "failed", (
            f"{name} was killed for time: it took longer than the {facts.get('TimeLimit', 'time')} "
            f"it had asked for; a second try asks for twice as long, and `time: 2` in {knobs.FILE} "
            "does so from the start"
        )
    if state == "FAILED":
        return "failed", ""  # what it says itself is shown
    return "failed", f"{name} ended as {state.lower().replace('_', ' ')}; see {output or 'sacct'}"


def _asked(facts: Mapping[str, str]) -> str:
    found = facts.get("MinMemoryNode") or facts.get("MinMemoryCPU") or "memory"
    return re.sub(r"^(\d+)M$", r"\1 MB", re.sub(r"^([\d.]+)G$", r"\1 GB", found))


def _end(output: str) -> str:
    try:
        return Path(output).read_text(encoding="utf-8", errors="replace")[-_TAIL:]
    except OSError:
        return ""


def _campaign(facts: Mapping[str, str]) -> str | None:
    """From where the job writes: results/<campaign>/logs/slurm/."""
    parts = Path(facts.get("StdOut", "")).parts
    return parts[-4] if len(parts) > 4 and parts[-3:-1] == ("logs", "slurm") else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
