"""Logging, error handling and records shared by all steps of the workflow."""

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
from pipeline.storage.atomic import write_text

CONTROLLED = "FATHOM_CONTROLLED"  # set if `fathom run` is the controller and prints the problems
METADATA = Path(".snakemake/metadata")  # Snakemake's own records


@contextmanager
def step(snakemake: Any) -> Iterator[Any]:
    """Yield the settings of a step to its script, then record its outputs and key.

    An InputError ends the job with its problems, without a traceback. They go into the rule's log,
    which `fathom run` prints; otherwise the job prints them. Other exceptions keep their traceback.
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
    """A file that is lost together with Snakemake's records; Fathom's are then not trusted."""
    parts = record.parts
    return METADATA / f"fathom-{parts[parts.index('records') - 1]}"


def process_usage() -> dict[str, float]:
    """Processor seconds (`cpu`) of this process and its finished children, and peak `memory`.

    The peak, in bytes, is that of the largest process. It is read from /proc where that exists,
    because getrusage may report the peak of the parent process.
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
    """Write this process's usage to `benchmarks`, where Snakemake's samples miss short jobs."""
    parts = ["benchmarks" if part == "logs" else part for part in log.parts]
    if parts != list(log.parts):
        write_text(Path(*parts).with_suffix(".json"), f"{json.dumps(process_usage())}\n")
