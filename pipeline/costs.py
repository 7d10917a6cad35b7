"""What each document costs its reader: time, words, characters; for the C/W/L measures.

A costs file has two columns, document and cost (a positive number), separated by a tab or spaces.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from pipeline.columns import array, strings
from pipeline.errors import InputError
from pipeline.files import atomic
from pipeline.rankings import read as read_rankings


def read(path: Path) -> dict[str, float]:
    """Cost of each document."""
    costs: dict[str, float] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise InputError(
                f"{path}, line {number}: has {len(fields)} columns; write a document and its cost"
            )
        document, text = fields
        try:
            cost = float(text)
        except ValueError:
            cost = np.nan
        if not 0 < cost < np.inf:
            raise InputError(
                f"{path}, line {number}: '{text}' is no cost; it must be a number above 0"
            )
        if costs.get(document, cost) != cost:
            raise InputError(
                f"{path}, line {number}: {document} costs {cost:g} here and "
                f"{costs[document]:g} above; keep one of them"
            )
        costs[document] = cost
    return costs


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
