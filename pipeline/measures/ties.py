"""Scores under ties: the worst, expected and best value over all orders of tied documents.

The order of documents with equal scores is arbitrary; trec_eval sorts them by document id. Only
rows whose tied documents differ in gain are scored again. Values that are not known exactly are
NaN.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipeline.gains.blocks import blocks
from pipeline.gains.gains import Gains
from pipeline.measures.measure import Combined, IntentAware, Measure, Single, computed_here
from pipeline.measures.tie_groups import average_ties, tie_of, tied_order
from pipeline.storage.arrays import Bools, Floats

TOLERANCE = 1e-12


class Ties(NamedTuple):
    """The values of each row over all orders of tied documents; NaN where not exact."""

    worst: Floats
    expected: Floats
    best: Floats


def under_ties(measure: Measure, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best value; all are `value` where ties do not matter.

    Best and worst sort tied documents by gain, which is exact for monotone measures. A weighted
    mean of linear measures sorts by the weighted gain. Other combinations are exact if one order is
    best, or worst, for all parts. The expectation is exact if measure and combination are linear
    or declare a function for it.
    """
    if isinstance(measure, IntentAware):
        return _intent_aware(measure, gains)
    parts, start = [], 0
    for block in blocks(gains):
        rows = slice(start, start := start + len(block.topic))
        parts.append(_reordered(measure, block, value[rows]))
    return Ties(*map(np.concatenate, zip(*parts, strict=True)))


def _reordered(measure: Single | Combined, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best value of a block of rows."""
    affected = sensitive(measure, gains)
    worst, mean, best = (np.where(affected, np.nan, value) for _ in range(3))
    if affected.any() and computed_here(measure):
        rows = gains.rows(affected)
        low, high = _ends(measure, rows, value[affected])
        expected = _expected(measure, rows)
        worst[affected], best[affected] = low, high
        # Rounding must not put the mean outside the bounds; fmax and fmin ignore NaN.
        mean[affected] = np.where(np.isnan(expected), np.nan, np.fmin(np.fmax(expected, low), high))
        rows.cache.clear()
    return Ties(worst, mean, best)


def sensitive(measure: Single | Combined, gains: Gains) -> Bools:
    """[row]: whether tied documents have different gains."""
    if isinstance(measure, Single):
        return np.asarray(_moved(measure, gains) > 0)
    return np.asarray(np.any([sensitive(part, gains) for part in measure.parts], axis=0))


def _moved(measure: Single, gains: Gains) -> Floats:
    """[row]: the number of gains (of the topic, or of subtopics) that the order of ties changes."""
    tied = np.diff(tie_of(gains), axis=1) == 0
    tied &= np.arange(1, tied.shape[1] + 1) < gains.length[:, None]
    moved = np.zeros(len(tied))
    for gain in _gain(measure, gains):
        # If any two documents of a group differ, so do two neighbours.
        moved += (tied & (np.diff(gain, axis=1) != 0)).any(axis=1)
    return moved


def _gain(measure: Single, gains: Gains) -> list[Floats]:
    """[row, rank] arrays of the gains that the measure uses: of the topic or of each subtopic."""
    view = measure.view(gains)
    if measure.declaration.gain == "judged":
        return [view.judged.astype(float)]
    return [part.gain for part in (view.subtopics if measure.declaration.diverse else (view,))]


def _intent_aware(measure: IntentAware, gains: Gains) -> Ties:
    """Means over subtopics; NaN where the best order may differ between subtopics."""
    base = measure.base
    by_subtopic = [under_ties(base, part, base.value(part)) for part in gains.subtopics]
    fields = zip(*by_subtopic, strict=True)
    worst, expected, best = (measure.averaged(gains, values) for values in fields)
    conflicting = np.sum([t.best - t.worst > TOLERANCE for t in by_subtopic], axis=0) > 1
    return Ties(np.where(conflicting, np.nan, worst), expected, np.where(conflicting, np.nan, best))


def _ends(measure: Single | Combined, gains: Gains, value: Floats) -> tuple[Floats, Floats]:
    if isinstance(measure, Single):
        extremes = [_extreme(measure, gains, sign=sign) for sign in (1, -1)]
        return np.min([*extremes, value], axis=0), np.max([*extremes, value], axis=0)
    # Values of real orders: by the documents' gain in all parts together.
    key = _weighted_gain(measure, gains)
    values = [_value(measure, gains, sign * key) for sign in (1, -1)]
    low, high = np.min([*values, value], axis=0), np.max([*values, value], axis=0)
    if _one_weighting(measure):
        return low, high
    worst, best = _apart(measure, gains, sign=-1), _apart(measure, gains, sign=1)
    exact = (np.abs(best - high) <= TOLERANCE) & (np.abs(worst - low) <= TOLERANCE)
    return np.where(exact, low, np.nan), np.where(exact, high, np.nan)


def _extreme(measure: Single, gains: Gains, *, sign: int) -> Floats:
    """The value with tied documents sorted by gain; NaN where it may not be the extreme."""
    if not measure.declaration.rises:
        return np.full(len(gains.topic), np.nan)
    key = sign * np.sum(_gain(measure, gains), axis=0)
    # The best order for one subtopic may not be best for another.
    return np.where(_moved(measure, gains) > 1, np.nan, _value(measure, gains, key))


def _value(measure: Single | Combined, gains: Gains, key: Floats) -> Floats:
    """The value with tied documents sorted by descending key."""
    reordered = tied_order(gains, key)
    value = measure.value(reordered)
    reordered.cache.clear()  # its views refer to the rankings, which would never be freed
    return value


def _apart(measure: Combined, gains: Gains, *, sign: int) -> Floats:
    """The combination of the parts' best or worst values, each in its own order."""
    pairs = zip(measure.parts, measure.falls, strict=True)
    ends = [_extreme(part, gains, sign=-sign if falls else sign) for part, falls in pairs]
    return measure.combine(ends)


def _one_weighting(measure: Combined) -> bool:
    """Whether the combination is a sum over ranks of a rank weight times a mixed gain."""
    first = measure.parts[0]
    same = all(
        replace(part, name="", readings={}, mix=first.mix, combination=None)
        == replace(first, name="", readings={}, combination=None)
        for part in measure.parts
    )
    return measure.combination.linear and same and first.declaration.expected == "linear"


def _weighted_gain(measure: Combined, gains: Gains) -> Floats:
    """[row, rank]: what a document adds to the combination at a given rank, up to a factor.

    This is exact for linear parts: the weight of a part is its share in the combination times what
    one unit of gain at all ranks adds (nDCG has another ideal in each dimension). Otherwise parts
    have equal weights, which finds the order that is best for all parts, if there is one.
    """
    key = np.zeros(tie_of(gains).shape)
    share = np.where(measure.falls, -1.0, 1.0)
    if measure.combination.linear:
        share = measure.combine(list(np.eye(len(measure.parts))))  # of one unit of each part
    for part, weight in zip(measure.parts, share.tolist(), strict=True):
        view = part.view(gains)
        scale = np.ones(len(gains.topic))
        if part.declaration.expected == "linear":
            flat = view.retrieved.astype(float)
            full, empty = (part.value_of(replace(view, override=g)) for g in (flat, 0 * flat))
            scale = full - empty
        key += weight * scale[:, None] * view.gain
    return key


def _expected(measure: Single | Combined, gains: Gains) -> Floats:
    """The mean over all orders, or NaN if measure or combination do not declare it."""
    unknown = np.full(len(gains.topic), np.nan)
    if isinstance(measure, Combined):
        parts = [_expected(part, gains) for part in measure.parts]
        return measure.combine(parts) if measure.combination.linear else unknown
    method = measure.declaration.expected
    view, tie = measure.view(gains).at(measure.cutoff), tie_of(gains)
    if method == "linear":
        return np.asarray(measure.declaration.function(average_ties(view, tie), **measure.params))
    return method(view, tie, **measure.params) if callable(method) else unknown
