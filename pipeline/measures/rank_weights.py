"""What a rank is worth to a measure, for all lists at once: one weight a rank, one factor a list.

Nearly every measure that is linear in the gains has weights of this form: its discount, divided by
something of the topic (nDCG's ideal, recall's R) or of the list. Whether it has is not declared but
found out: on lists of random gains the product must give the measure's own value.
`contributions` explains one list of any sum; this is for a page that holds thousands of lists.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains, View
from pipeline.measures.declaration import evaluate
from pipeline.measures.measure import Measure, Single
from pipeline.storage.arrays import Floats

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
        return evaluate(one.declaration, replace(view, given=wide), one.cutoff, one.params)

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
