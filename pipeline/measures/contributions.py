"""What each document adds to a measure: the parts of a value that is a sum over the ranks.

A measure that is linear in the gains (`expected="linear"`) needs to say nothing: its weights are
its values on lists in which one document alone has a gain. Others that are sums declare how.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.measures.declaration import evaluate
from pipeline.measures.measure import Measure, Single
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class Contributions:
    """One list: base + sum of contributions = value."""

    gain: Floats  # [rank]: what the measure sees, as far as it looks
    weight: Floats  # [rank]: contribution for each unit of gain; NaN where that cannot be said
    contribution: Floats  # [rank]
    base: float  # what a list without any gain scores
    value: float


def contributions(measure: Measure, gains: Gains, row: int) -> Contributions | None:
    """What each rank of one list adds to the measure; None if its value is no sum over ranks."""
    if not isinstance(measure, Single):
        return None
    declaration = measure.declaration
    one = gains.rows(np.array([row]))
    view = one.view(measure.wanted, mix=measure.mix).at(measure.cutoff)
    size = int(view.length[0])
    gain = view.gain[0, :size]
    value = float(measure.value(one)[0])
    if declaration.contributions is not None:
        parts = declaration.contributions(view, **measure.params)[0, :size]
        with np.errstate(divide="ignore", invalid="ignore"):
            weight = np.where(gain > 0, parts / gain, np.nan)
        return Contributions(gain, weight, parts, 0.0, value)
    if declaration.expected != "linear":
        return None
    weight, base = _weights(measure, gains, row, size)
    return Contributions(gain, weight, weight * gain, base, value)


def _weights(measure: Single, gains: Gains, row: int, size: int) -> tuple[Floats, float]:
    """The value of one unit of gain at each rank alone, less that of no gain at all."""
    many = gains.rows(np.full(size + 1, row))
    view = many.view(measure.wanted, mix=measure.mix)
    alone = np.zeros((size + 1, view.depth))
    alone[np.arange(size), np.arange(size)] = 1.0
    values = evaluate(
        measure.declaration, replace(view, given=alone), measure.cutoff, measure.params
    )
    return values[:-1] - values[-1], float(values[-1])
