"""Memory and time of a step, as its rule declares them, by the size of what it reads.

Memory is the peak measured on the demo and on CLEF 2015 (250 MB of runs), half as much again or
more (docs/how-to/slurm.md); times, and the memory of steps those two do not run, are estimates.
A second try has twice of everything; so has a site that says so.
"""

import math
import os
from dataclasses import dataclass

from pipeline.campaign.shares import Size
from pipeline.storage.cluster.knobs import MEMORY, OWN, TIME


@dataclass(frozen=True)
class Need:
    """What a step takes: at least something, and more with the size of what it reads."""

    least: float
    runs: float = 0.0  # a MB of all runs
    batch: float = 0.0  # a MB of one batch of them
    shard: float = 0.0  # a MB of one shard of the pages
    pages: float = 0.0  # a MB of all pages
    measures: float = 0.0  # a measure

    def of(self, size: Size | None, *, attempt: int, factor: str) -> int:
        """As a whole number, for a campaign of a size or for what belongs to none."""
        total = self.least
        if size:
            total += self.runs * size.runs + self.batch * size.runs / size.batches
            total += self.pages * size.pages + self.shard * size.pages / size.shards
            total += self.measures * size.measures
        return math.ceil(total * float(2 ** (attempt - 1)) * float(os.environ.get(factor, 1)))


def megabytes(need: Need, size: Size | None, *, attempt: int) -> int:
    """Memory, times what the site's knob says, and what Snakemake itself takes in a job."""
    return need.of(size, attempt=attempt, factor=MEMORY) + int(os.environ.get(OWN, 0))


def minutes(need: Need, size: Size | None, *, attempt: int) -> int:
    """Time, times what the site's knob says."""
    return max(1, need.of(size, attempt=attempt, factor=TIME))
