"""What each document costs its reader: time, words, characters; for the C/W/L measures.

A costs file has two columns, document and cost (a positive number), separated by a tab or spaces.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What documents cost their reader: the file, and the cost of those it does not list."""

    file: str
    usual: float


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
