"""Scoring a campaign again under other judgements, without looking anything up again.

A label's worth is a small table beside the codes of the rankings, so another threshold or gain map
is another table; a judgement that was never made is a code set to UNJUDGED (see `leaving_out`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pipeline.gains.dimension import STORED
from pipeline.gains.gains import Gains
from pipeline.measures import Measure, parse
from pipeline.measures.measure import by_blocks
from pipeline.storage.arrays import Floats

LABEL = STORED.index("label")


def values_of(measures: Sequence[Measure], gains: Gains) -> list[Floats]:
    """[run, topic] of each measure, without bounds; then all is forgotten."""
    every = by_blocks(measures, gains, lambda measure, some: measure.value(some))
    gains.cache.clear()
    return [np.concatenate(parts).reshape(len(gains.runs), -1) for parts in every]


def readings(measure: Measure, dimension: str) -> set[str]:
    """How a measure reads a dimension's labels: binary, gain, ...; nothing if it does not."""
    return {p.wanted[dimension] for p in measure.parts if dimension in p.wanted}


def rescored(names: Sequence[str], gains: Gains) -> list[Measure]:
    """The measures of these names that do without the systems' own scores, not kept here."""
    measures = [parse(name, dimensions=list(gains.dimensions)) for name in names]
    return [measure for measure in measures if not measure.scored]


def with_worth(
    gains: Gains, dimension: str, *, column: int, worth: Callable[[Floats], Floats]
) -> Gains:
    """The same judgements with other gains: `worth` says what labels are worth."""
    old = gains.dimensions[dimension]
    tables = old.worth.copy(), old.subtopics.copy()
    for table in tables:
        table[2:, ..., column] = worth(table[2:, ..., LABEL])
    changed = replace(old, worth=tables[0], subtopics=tables[1])
    return replace(gains, dimensions={**gains.dimensions, dimension: changed}, cache={})
