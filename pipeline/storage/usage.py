"""What the process of a job has used, as the operating system counted it.

Snakemake's benchmark files have samples of memory and processor time, taken every half second and
later every half minute: a short job, or a short peak, is not in them. So each step keeps these
exact figures beside the benchmark file of its job.
"""

import json
import resource
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.storage.atomic import atomic

_STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Usage:
    """Processor seconds of a process and its children, and the most memory one of them held."""

    cpu: float
    memory: int  # bytes


def of_this_process() -> Usage:
    """What this process, with the children it has waited for, has used so far."""
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    unit = 1 if sys.platform == "darwin" else 1024
    peak = _peak() or own.ru_maxrss * unit
    return Usage(
        cpu=round(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime, 3),
        memory=max(peak, children.ru_maxrss * unit),
    )


def _peak() -> int:
    """The peak as Linux has it for this program; getrusage's may be that of who started it."""
    if not _STATUS.exists():
        return 0
    lines = _STATUS.read_text(encoding="utf-8").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def place(benchmark: Path) -> Path:
    """The file of a job's usage, beside its benchmark file."""
    return benchmark.with_suffix(".json")


def keep(log: Path) -> None:
    """Write this process's usage; a job's log and benchmark have the same name in two folders."""
    parts = ["benchmarks" if part == "logs" else part for part in log.parts]
    if parts != list(log.parts):
        with atomic(place(Path(*parts))) as draft:
            draft.write_text(f"{json.dumps(asdict(of_this_process()))}\n", encoding="utf-8")


def read(path: Path) -> Usage:
    """What `keep` wrote."""
    return Usage(**json.loads(path.read_text(encoding="utf-8")))
