"""How much there is to do, and in how many parts: batches of runs and shards of pages.

What a config sets stands; else the site's knob (`pipeline.storage.cluster.knobs`) says how many,
else the size of what was handed in. Folders that a job makes are not there yet when this is
decided, and a number that changed once they are would make everything again: they count as nothing.
"""

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline.campaign.model import Campaign
from pipeline.campaign.paths import Files, Inputs
from pipeline.errors import InputError
from pipeline.sources.paths import expand, split
from pipeline.storage.cluster.knobs import SHARDS

LEAST, MOST = 2, 1000
BATCH = 250.0  # MB of runs for a batch: read in 2 s and 500 MB
SHARD = 500.0  # MB of pages for a shard: cleansed in about 10 minutes
SHARD_FILES = 20_000
PACKED = {".gz": 5.0, ".bz2": 6.0, ".xz": 6.0, ".zip": 5.0}  # how far runs and pages unpack
_LOOKED_AT = 1000  # files whose size is asked for, of however many


@dataclass(frozen=True)
class Size:
    """What memory and time of a step grow with."""

    runs: float  # MB of plain text
    pages: float
    batches: int
    shards: int
    measures: int


def counts(campaign: Campaign, inputs: Inputs) -> tuple[int, int]:
    """In how many batches the runs are read, and in how many shards the pages."""
    batches = campaign.runs.batches or _knob() or _parts(megabytes(inputs.runs.local) / BATCH)
    local = inputs.pages.local if inputs.pages else ()
    by_input = _parts(max(megabytes(local) / SHARD, len(local) / SHARD_FILES))
    return batches, (campaign.pages and campaign.pages.shards) or _knob() or by_input


def _knob() -> int:
    return int(os.environ.get(SHARDS, 0))


def _parts(number: float) -> int:
    return min(MOST, max(LEAST, math.ceil(number)))


def size(campaign: Campaign, inputs: Inputs, *, sources: Path, batches: int, shards: int) -> Size:
    """How much there is now; a step that needs a made folder is asked when the folder is there."""
    pages = campaign.pages
    return Size(
        runs=_all(inputs.runs, campaign.runs.files, sources),
        pages=_all(inputs.pages, pages.files, sources) if pages and inputs.pages else 0.0,
        batches=batches,
        shards=shards,
        measures=len(campaign.measures),
    )


def _all(files: Files, patterns: Sequence[str], sources: Path) -> float:
    """Local files, and of made folders what the patterns name in them."""
    made = [p for p in patterns if (name := split(p)[0]) and (sources / name).is_dir()]
    found: list[Path] = []
    with suppress(InputError):  # of a pattern that matches nothing the step says so
        found = expand(made, sources=sources)
    return megabytes([*files.local, *map(str, found)])


def megabytes(paths: Sequence[str]) -> float:
    """How much text files hold, as far as their sizes say; of very many, by a thousand of them."""
    looked = paths[:: math.ceil(len(paths) / _LOOKED_AT)] if paths else []
    bytes_seen = sum(_unpacked(Path(path)) for path in looked)
    return bytes_seen / 2**20 * (len(paths) / len(looked) if looked else 0)


def _unpacked(path: Path) -> float:
    try:
        return path.stat().st_size * PACKED.get(path.suffix, 1.0)
    except OSError:
        return 0.0  # gone since; the step that reads it says so
