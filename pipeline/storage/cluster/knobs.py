"""What users of a cluster set, in one file: `cluster.yaml` in the folder they run in."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.storage.strict_yaml import config

FILE = "cluster.yaml"
# How the workflow is told, here and on the nodes; unset is what the campaign's size asks for.
MEMORY, TIME, SHARDS = "FATHOM_MEMORY", "FATHOM_TIME", "FATHOM_SHARDS"
OWN = "FATHOM_OWN_MEMORY"  # MB that each step's job needs for Snakemake itself


@dataclass(frozen=True)
class Knobs:
    """The defaults are those of the profiles, and work where a site has default choices."""

    partition: str | None = None  # where jobs go; the site's default
    account: str | None = None  # who pays; the site's default
    options: str = ""  # further options of sbatch, as "--qos=long --constraint=fast"
    memory: float = 1.0  # times what a step declares
    time: float = 1.0  # times what a step declares
    cores: int = 2  # of a job; steps of a group run side by side on them
    jobs: int = 100  # waiting or running at once
    shards: int | None = None  # of pages and of runs; as many as the input asks for
    allocation_cores: int = 2  # of the one job of `allocation`
    allocation_memory: int = 4000  # its MB
    allocation_minutes: int = 240  # its time
    scratch: str | None = None  # a folder of the node's own for drafts, as "$SLURM_TMPDIR"


_WHOLE = ("cores", "jobs", "shards", "allocation_cores", "allocation_memory", "allocation_minutes")
_FACTORS = ("memory", "time")


def read(path: Path = Path(FILE)) -> Knobs:
    """The knobs of a file; those of none are the defaults."""
    if not path.exists():
        return Knobs()
    given = config(path)
    if told := list(_wrong(path, given)):
        raise InputError("\n".join(told))
    return Knobs(**given)


def _wrong(path: Path, given: Mapping[Any, Any]) -> Iterator[str]:
    known = [field.name for field in fields(Knobs)]
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
            yield f"{path}: unknown key '{key}'; {fix}"
        elif key in _WHOLE:
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                yield f"{path}: {key} is {value!r}; give a whole number from 1 on"
        elif key in _FACTORS:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
                yield f"{path}: {key} is {value!r}; give a number above 0, as 1.5"
        elif not isinstance(value, str):
            yield f"{path}: {key} is {value!r}; give a text, in quotes if it is a number"


def publish(knobs: Knobs, *, own: int = 0) -> None:
    """Tell the workflow what it decides by, in this process and in jobs that inherit from it."""
    os.environ[OWN] = str(own)
    os.environ[MEMORY], os.environ[TIME] = str(knobs.memory), str(knobs.time)
    if knobs.shards:
        os.environ[SHARDS] = str(knobs.shards)
