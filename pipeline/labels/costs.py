"""What each document costs its reader: time, words, characters; for the C/W/L measures.

A costs file has two columns, document and cost (a positive number), separated by a tab or spaces.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.storage.text import cut, number, read_fields

COSTS_LINE = "document cost"


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What documents cost their reader: the file, and the cost of those it does not list."""

    file: str
    usual: float


def read(path: Path) -> dict[str, float]:
    """Cost of each document."""
    costs: dict[str, float] = {}
    for line, fields in read_fields(path, what="costs file", line=COSTS_LINE):
        if len(fields) != 2:
            raise InputError(
                f"{path}, line {line}: has {len(fields)} columns; write a document and its cost"
            )
        document, text = fields
        cost = number(text)
        if not cost > 0:
            raise InputError(
                f"{path}, line {line}: '{cut(text)}' is no cost; it must be a number above 0"
            )
        if costs.get(document, cost) != cost:
            raise InputError(
                f"{path}, line {line}: {document} costs {cost:g} here and "
                f"{costs[document]:g} above; keep one of them"
            )
        costs[document] = cost
    return costs
