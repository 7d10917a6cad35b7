"""What every step of the workflow does around its calls into the library."""

import json
import os
import re
import resource
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.storage import records
from pipeline.storage.atomic import atomic

CONTROLLED = "FATHOM_CONTROLLED"  # set where a controller of ours prints the problems of jobs
METADATA = Path(".snakemake/metadata")  # Snakemake's own records


@contextmanager
def step(snakemake: Any) -> Iterator[Any]:
    """Run a script's body on its step's settings, then record what it wrote under which key.

    A user's mistake ends the job with its problems, never a traceback. They go into the rule's log,
    which the controller prints at its end; in the workflow of another the job prints them. An error
    of our own keeps its traceback.
    """
    log, record = Path(snakemake.log[0]), Path(snakemake.output.record)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("")
    record.unlink(missing_ok=True)
    if METADATA.is_dir():
        mark(record).touch()
    settings = snakemake.params.settings
    try:
        yield settings
        keep_usage(log)
        outputs = [path for path in snakemake.output if path != str(record)]
        note = settings.get("grown")
        records.write(record, asked=snakemake.params.key, outputs=outputs, note=note)
    except InputError as error:
        log.write_text(f"{error}\n", encoding="utf-8")
        sys.exit(1 if CONTROLLED in os.environ else f"fathom: {error}")
    except Exception:
        log.write_text(traceback.format_exc(), encoding="utf-8")
        raise


def mark(record: Path) -> Path:
    """A file among Snakemake's records that goes where they go; without it ours are worthless."""
    parts = record.parts
    return METADATA / f"fathom-{parts[parts.index('records') - 1]}"


def process_usage() -> dict[str, float]:
    """Processor seconds (`cpu`) of this process and the children it waited for; peak `memory`.

    The peak, in bytes, is that of the largest process. Linux has it for this program; getrusage's
    may be that of the one which started it.
    """
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    unit = 1 if sys.platform == "darwin" else 1024
    linux = Path("/proc/self/status")
    status = linux.read_text(encoding="utf-8") if linux.exists() else ""
    peak = re.search(r"^VmHWM:\s*(\d+)", status, re.MULTILINE)
    memory = int(peak[1]) * 1024 if peak else own.ru_maxrss * unit
    cpu = sum(used.ru_utime + used.ru_stime for used in (own, children))
    return {"cpu": round(cpu, 3), "memory": max(memory, children.ru_maxrss * unit)}


def keep_usage(log: Path) -> None:
    """Write this process's usage; a job's log and benchmark have the same name in two folders.

    Snakemake's benchmark file has samples, in which a short job or a short peak is missing.
    """
    parts = ["benchmarks" if part == "logs" else part for part in log.parts]
    if parts != list(log.parts):
        with atomic(Path(*parts).with_suffix(".json")) as draft:
            draft.write_text(f"{json.dumps(process_usage())}\n", encoding="utf-8")
