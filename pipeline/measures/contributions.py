"""What each document contributes to a measure whose value is a sum over the ranks.

A measure that is linear in the gains (`expected="linear"`) has as weights its values on rankings in
which one document has a gain. Other sums declare their contributions. `contributions` explains one
ranking; `rank_weights` serves a page with thousands of rankings.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains, View
from pipeline.measures.measure import Measure, Single
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class Contributions:
    """One ranking: base + sum of contributions = value."""

    gain: Floats  # [rank]: the gains that the measure uses, down to its cutoff
    weight: Floats  # [rank]: contribution per unit of gain; NaN where it is undefined
    contribution: Floats  # [rank]
    base: float  # the score of a ranking without any gain
    value: float


def contributions(measure: Measure, gains: Gains, row: int) -> Contributions | None:
    """What each rank of one row contributes; None if the value is not a sum over ranks."""
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
    """The weight of each rank, and the value without any gain."""
    view = measure.view(gains.rows(np.full(size + 1, row)))
    units = np.zeros((size + 1, view.depth))
    units[np.arange(size), np.arange(size)] = 1.0
    values = measure.value_of(replace(view, override=units))
    return values[:-1] - values[-1], float(values[-1])


@dataclass(frozen=True)
class RankWeights:
    """value = base + factor * sum of weight * gain, over the first ranks."""

    weight: Floats  # [rank]
    factor: Floats  # [row]
    base: Floats  # [row]: the score of a ranking without any gain


def single(measure: Measure) -> Single | None:
    """The measure, if it needs only gains: no system scores, costs or subtopics."""
    if not isinstance(measure, Single) or measure.global_gain:
        return None
    declaration = measure.declaration
    return None if declaration.scores or declaration.costs or declaration.diverse else measure


def rank_weights(measure: Measure, gains: Gains, *, depth: int) -> RankWeights | None:
    """Weights and factors of a measure over the first ranks; None if it is not of this form."""
    base_measure = single(measure)
    if base_measure is None or base_measure.declaration.expected != "linear":
        return None
    view = base_measure.view(gains)
    depth = min(depth, view.depth)

    def value(gain: Floats, view: View = view) -> Floats:
        padded = np.zeros((len(gain), view.depth))
        padded[:, : gain.shape[1]] = gain
        return base_measure.value_of(replace(view, override=padded))

    rows = len(gains.topic)
    retrieved = view.retrieved[:, :depth].astype(float)
    base = value(np.zeros((rows, depth)))
    first = value(retrieved * (np.arange(depth) == 0)) - base
    if not (first > 0).any():
        return None
    longest = int(np.argmax(np.where(first > 0, gains.length, -1)))
    units_view = base_measure.view(gains.rows(np.full(depth, longest)))
    weight = value(np.eye(depth), units_view) - base[longest]
    factor = first / weight[0]
    sample = np.random.default_rng(20160320).random((rows, depth)) * retrieved
    if not np.allclose(value(sample), base + factor * (sample @ weight), rtol=0, atol=1e-10):
        return None
    return RankWeights(weight, factor, base)
