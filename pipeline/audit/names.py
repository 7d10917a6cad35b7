"""Other tools' names of measures.

Each entry maps a pattern of the tool's name to a name here, with the pattern's groups. Those of
trec_eval and ndeval are in `pipeline.measures`, because `fathom evaluate` accepts them, too.
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
    """The denominator of the means (trec_eval's num_q), which is not a measure."""

    name: str = "number of topics"

    def value(self, gains: Gains) -> Floats:
        return np.ones(len(gains.topic))

    def overall(self, values: Floats, gains: Gains) -> Floats:
        return np.asarray(values.reshape(len(gains.runs), -1).sum(axis=1))


AuditMeasure = Measure | NumberOfTopics


def measure_of(
    tool: str, name: str, *, own: Mapping[str, str], dimensions: Sequence[str]
) -> AuditMeasure | None:
    """The measure for a tool's name of it, or None. The campaign's mapping `own` takes precedence.

    A tool may have a suffix, for example `trec_eval-graded`: tools are recognised by prefix.
    """
    for key in (f"{tool} {name}", name):
        if key in own:
            return parse(own[key], dimensions=dimensions)
    if tool.startswith("trec_eval") and name == "num_q":
        return NumberOfTopics()
    tables = [table for prefix, table in TOOLS.items() if tool.startswith(prefix)]
    texts = [
        match.expand(template)
        for table in tables or TOOLS.values()
        for pattern, template in table.items()
        if (match := re.fullmatch(pattern, name))
    ]
    for text in [*texts, name]:
        try:
            measure = parse(text, dimensions=dimensions)
        except InputError:
            continue
        if not measure.scored:
            return measure
    return None
