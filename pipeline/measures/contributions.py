"""What each document adds to a measure whose value is a sum over the ranks.

A measure that is linear in the gains (`expected="linear"`) needs to say nothing: its weights are
its values on lists in which one document alone has a gain. Others that are sums declare how.
`contributions` explains one list; `rank_weights` serves a page that holds thousands of them.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains, View
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
    selected = gains.rows(np.array([row]))
    view = measure.view(selected).at(measure.cutoff)
    size = int(view.length[0])
    gain = view.gain[0, :size]
    value = float(measure.value(selected)[0])
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
    view = measure.view(gains.rows(np.full(size + 1, row)))
    units = np.zeros((size + 1, view.depth))
    units[np.arange(size), np.arange(size)] = 1.0
    values = measure.value_of(replace(view, override=units))
    return values[:-1] - values[-1], float(values[-1])


SEED = 20160320
CLOSE = 1e-10


@dataclass(frozen=True)
class RankWeights:
    """value = base + factor * sum of weight * gain, over the first ranks."""

    weight: Floats  # [rank]
    factor: Floats  # [row]
    base: Floats  # [row]: what a list without any gain scores


def single(measure: Measure) -> Single | None:
    """The measure, if it is one of plain gains: no scores, costs or subtopics."""
    if not isinstance(measure, Single) or measure.global_gain:
        return None
    declaration = measure.declaration
    return None if declaration.scores or declaration.costs or declaration.diverse else measure


def rank_weights(measure: Measure, gains: Gains, *, depth: int) -> RankWeights | None:
    """Weights and factors of a measure over the first ranks; None if it has none of this form."""
    measure_ = single(measure)
    if measure_ is None or measure_.declaration.expected != "linear":
        return None
    view = measure_.view(gains)
    depth = min(depth, view.depth)

    def value(gain: Floats, view: View = view) -> Floats:
        padded = np.zeros((len(gain), view.depth))
        padded[:, : gain.shape[1]] = gain
        return measure_.value_of(replace(view, override=padded))

    rows = len(gains.topic)
    retrieved = view.retrieved[:, :depth].astype(float)
    base = value(np.zeros((rows, depth)))
    first = value(retrieved * (np.arange(depth) == 0)) - base
    if not (first > 0).any():
        return None
    longest = int(np.argmax(np.where(first > 0, gains.length, -1)))
    units_view = measure_.view(gains.rows(np.full(depth, longest)))
    weight = value(np.eye(depth), units_view) - base[longest]
    factor = first / weight[0]
    sample = np.random.default_rng(SEED).random((rows, depth)) * retrieved
    if not np.allclose(value(sample), base + factor * (sample @ weight), rtol=0, atol=CLOSE):
        return None
    return RankWeights(weight, factor, base)
