"""What other tools call a measure, in our words.

Each entry is data: a pattern of the tool's name for it, and ours with the pattern's groups; those
of trec_eval and ndeval, which measures are also asked for by, are in `pipeline.measures`. A name of
which the engine knows nothing stays unknown; the audit counts it and goes on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.gains import Gains
from pipeline.measures import Measure, names, parse
from pipeline.storage.arrays import Floats

UBIRE = {r"(u?RBP(?:gr)?)\(([\d.]+)\)": r"\1(p=\2)"}
TOOLS = {"trec_eval": names.NAMES, "ubire": UBIRE, "ndeval": names.DIVERSITY}


@dataclass(frozen=True)
class NumberOfTopics:
    """What the means are over (trec_eval's num_q): no measure, but the first thing to agree on."""

    name: str = "number of topics"

    def value(self, gains: Gains) -> Floats:
        """1 for every topic."""
        return np.ones(len(gains.topic))

    def overall(self, values: Floats, gains: Gains) -> Floats:
        """The topics of each run."""
        return np.asarray(values.reshape(len(gains.runs), -1).sum(axis=1))


Known = Measure | NumberOfTopics


def measure_of(
    tool: str, name: str, *, own: Mapping[str, str], dimensions: Sequence[str]
) -> Known | None:
    """Our measure for a tool's, or None; `own` is the campaign's mapping and goes first.

    A tool's name may have a suffix, as `trec_eval-graded`: it is looked up by how it starts.
    """
    for key in (f"{tool} {name}", name):
        if key in own:
            return parse(own[key], dimensions=dimensions)
    if tool.startswith("trec_eval") and name == "num_q":
        return NumberOfTopics()
    tables = [table for known, table in TOOLS.items() if tool.startswith(known)]
    texts = [
        found.expand(ours)
        for table in tables or TOOLS.values()
        for pattern, ours in table.items()
        if (found := re.fullmatch(pattern, name))
    ]
    for text in [*texts, name]:
        try:
            measure = parse(text, dimensions=dimensions)
        except InputError:
            continue
        if not measure.scored:
            return measure
    return None
