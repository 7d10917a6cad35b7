"""The cost of reading each document (time, words or characters), for the C/W/L measures.

A costs file has two columns, document and cost (a positive number), separated by a tab or spaces.
"""

from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.storage.text import cut, number, read_fields

COSTS_LINE = "document cost"


def read(path: Path) -> dict[str, float]:
    """Cost of each document."""
    costs: dict[str, float] = {}
    for line, fields in read_fields(path, what="costs file", line=COSTS_LINE):
        if len(fields) != 2:
            what = f"has {len(fields)} columns"
            raise InputError(Problem(path, what, "write a document and its cost", line=line))
        document, text = fields
        cost = number(text)
        if not cost > 0:
            what = f"'{cut(text)}' is not a cost"
            raise InputError(Problem(path, what, "it must be a number above 0", line=line))
        if costs.get(document, cost) != cost:
            what = f"document '{document}' has the cost {cost:g} here and {costs[document]:g} above"
            raise InputError(Problem(path, what, "remove one of the lines", line=line))
        costs[document] = cost
    return costs
