"""What every ranked document costs its reader."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from pipeline.runs.rankings import read as read_rankings
from pipeline.storage.arrow import array, strings
from pipeline.storage.atomic import atomic


def build(
    *, rankings: Path, costs: dict[str, float], usual: float, topics: Sequence[str], out: Path
) -> None:
    """Look up what every ranked document costs; those without a cost take the usual one."""
    ranked = read_rankings(rankings, topics=topics)
    place = array(pc.index_in(ranked.documents, value_set=strings(list(costs))), missing=-1)
    known = np.append(np.array(list(costs.values()), float), usual)
    each = np.append(known[place], usual)  # the last one is document -1: behind the end
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(file, cost=each[ranked.number], usual=np.array(usual))
