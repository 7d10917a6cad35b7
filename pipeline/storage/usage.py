"""What the process of a job has used, as the operating system counted it.

Snakemake's benchmark files have samples of memory and processor time, taken every half second and
later every half minute: a short job, or a short peak, is not in them. So each step keeps these
exact figures beside the benchmark file of its job.
"""

import json
import re
import resource
import sys
from pathlib import Path

from pipeline.storage.atomic import atomic

_STATUS = Path("/proc/self/status")


def of_this_process() -> dict[str, float]:
    """Processor seconds (`cpu`) of this process and the children it waited for; peak `memory`.

    The peak, in bytes, is that of the largest process. Linux has it for this program; getrusage's
    may be that of the one which started it.
    """
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    unit = 1 if sys.platform == "darwin" else 1024
    status = _STATUS.read_text(encoding="utf-8") if _STATUS.exists() else ""
    peak = re.search(r"^VmHWM:\s*(\d+)", status, re.MULTILINE)
    memory = int(peak[1]) * 1024 if peak else own.ru_maxrss * unit
    cpu = sum(used.ru_utime + used.ru_stime for used in (own, children))
    return {"cpu": round(cpu, 3), "memory": max(memory, children.ru_maxrss * unit)}


def keep(log: Path) -> None:
    """Write this process's usage; a job's log and benchmark have the same name in two folders."""
    parts = ["benchmarks" if part == "logs" else part for part in log.parts]
    if parts != list(log.parts):
        with atomic(Path(*parts).with_suffix(".json")) as draft:
            draft.write_text(f"{json.dumps(of_this_process())}\n", encoding="utf-8")
