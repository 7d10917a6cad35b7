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
    one = gains.rows(np.array([row]))
    view = measure.view(one).at(measure.cutoff)
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
    view = measure.view(gains.rows(np.full(size + 1, row)))
    alone = np.zeros((size + 1, view.depth))
    alone[np.arange(size), np.arange(size)] = 1.0
    values = measure.value_of(replace(view, given=alone))
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
    if not isinstance(measure, Single) or measure.pooled:
        return None
    words = measure.declaration
    return None if words.scores or words.costs or words.diverse else measure


def rank_weights(measure: Measure, gains: Gains, *, depth: int) -> RankWeights | None:
    """Weights and factors of a measure over the first ranks; None if it has none of this form."""
    one = single(measure)
    if one is None or one.declaration.expected != "linear":
        return None
    view = one.view(gains)
    depth = min(depth, view.depth)

    def value(given: Floats, view: View = view) -> Floats:
        wide = np.zeros((len(given), view.depth))
        wide[:, : given.shape[1]] = given
        return one.value_of(replace(view, given=wide))

    rows = len(gains.topic)
    here = view.retrieved[:, :depth].astype(float)
    base = value(np.zeros((rows, depth)))
    first = value(here * (np.arange(depth) == 0)) - base
    if not (first > 0).any():
        return None
    longest = int(np.argmax(np.where(first > 0, gains.length, -1)))
    alone = one.view(gains.rows(np.full(depth, longest)))
    weight = value(np.eye(depth), alone) - base[longest]
    factor = first / weight[0]
    drawn = np.random.default_rng(SEED).random((rows, depth)) * here
    if not np.allclose(value(drawn), base + factor * (drawn @ weight), rtol=0, atol=CLOSE):
        return None
    return RankWeights(weight, factor, base)
