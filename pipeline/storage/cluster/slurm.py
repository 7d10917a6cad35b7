"""Asking Slurm, and asking again when its controller is silent: it may be busy, or restarting."""

import hashlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pipeline.errors import InputError
from pipeline.storage.cluster.knobs import FILE

# What its commands say when nobody answers; a refusal is told in other words.
_SILENT = (
    "unable to contact slurm controller", "socket timed out", "connection refused",
    "communication connection failure", "zero bytes were transmitted", "unexpected message",
    "slurm backup controller in standby", "protocol authentication", "transport endpoint",
    "connection reset", "connection timed out", "temporarily unable to accept job",
)  # fmt: skip
# How Slurm, its cgroups or the kernel say that a job was killed for memory.
_MEMORY = re.compile(
    r"exceeded memory limit|exceeded job memory limit|oom.?kill|out.of.memory", re.IGNORECASE
)
JOBS = "FATHOM_JOBS"  # how the names of jobs begin that are not submitted by `submit`
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds before asking again


class SilentError(Exception):
    """The controller did not answer, however often it was asked."""


def ask(
    command: Sequence[str],
    *,
    pauses: Sequence[float] = _PAUSES,
    sleep: Callable[[float], None] = time.sleep,
) -> subprocess.CompletedProcess[str]:
    """Run a command of Slurm's; a refusal is returned, silence is asked again and then raised."""
    for pause in (*pauses, None):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        except FileNotFoundError:
            raise InputError(
                f"there is no command '{command[0]}' here; run this where Slurm's commands are"
            ) from None
        except subprocess.TimeoutExpired:
            done = None
        if done is not None and (done.returncode == 0 or not _silent(done.stderr)):
            return done
        if pause is not None:
            sleep(pause)
    raise SilentError(f"{command[0]}: Slurm's controller does not answer")


def _silent(said: str) -> bool:
    return any(words in said.lower() for words in _SILENT)


def killed_for_memory(output: str) -> bool:
    """Whether what a job or Slurm wrote says so."""
    return bool(_MEMORY.search(output))


def killed_among(outputs: Iterable[Path]) -> list[str]:
    """A sentence for each job of the slurm executor whose output says that memory killed it."""
    return [
        f"{path.parent.name.removeprefix('rule_')} (job {path.stem}) was killed for memory; a "
        f"second try asks for twice as much, and `memory: 2` in {FILE} does so from the start"
        for path in sorted(outputs)
        if killed_for_memory(path.read_text(encoding="utf-8", errors="replace"))
    ]


def prefix(campaign: str, folder: Path | None = None) -> str:
    """How the names of a campaign's jobs begin: of this one in this folder, and no other."""
    where = f"{(folder or Path.cwd()).resolve()}\n{campaign}"
    return f"fathom-{hashlib.sha256(where.encode()).hexdigest()[:10]}"


def living(*prefixes: str) -> list[str]:
    """My jobs that wait or run and whose names begin so."""
    done = ask(["squeue", "--noheader", "--format=%i|%j", "--user", str(os.getuid())])
    if done.returncode:
        raise InputError(f"squeue answers: {done.stderr.strip()}")
    rows = [line.strip().split("|", 1) for line in done.stdout.splitlines() if "|" in line]
    return [job for job, name in rows if name.startswith(prefixes)]


def cancel_orphans(campaign: str, *, mark: Path, patience: float = 120.0) -> list[str]:
    """Cancel what a killed controlling process left in the queue, and wait until it is gone.

    `mark` is the file that `submit` leaves; without it nothing was ever submitted from here.
    """
    if not mark.exists():
        return []
    names = [f"{prefix(campaign)}-"]
    # The slurm executor gives all jobs of a command one name, which its profile chose.
    names += [os.environ[JOBS]] if JOBS in os.environ else []
    try:
        left = found = living(*names)
        until = time.monotonic() + patience
        while left:
            ask(["scancel", *left])
            time.sleep(0.5)
            if time.monotonic() > until:
                raise InputError(f"jobs {', '.join(left)} do not end")
            left = living(*names)
    except (SilentError, InputError) as error:
        raise InputError(
            f"campaign '{campaign}' had jobs on Slurm, and whether they still run cannot be said "
            f"({error}); run this where Slurm answers, or remove {mark} if none is left"
        ) from None
    if found:
        print(
            f"fathom: campaign '{campaign}': cancelled {len(found)} jobs that a run which was "
            f"killed had left: {', '.join(found)}",
            file=sys.stderr,
        )
    mark.unlink(missing_ok=True)
    return found
