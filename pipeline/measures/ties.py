"""Scores under ties: the worst, expected and best value over all orders of tied documents.

A system that gives two documents one score does not say which comes first; trec_eval decides by
document id. Only rows whose tied documents differ in gain are scored again, and a value that is
not known exactly is NaN.
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
    """What the order of tied documents could have made of each row; NaN where not exact."""

    worst: Floats
    expected: Floats
    best: Floats


def under_ties(measure: Measure, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best value; `value` stands where ties decide nothing.

    Best and worst put the tied documents in order of their gain, which is exact for every measure
    that rises with gain. A weighted mean of linear measures takes the documents' weighted gain.
    Of other combinations they are exact where one order is best, or worst, for every part. The
    expectation is exact where measure and combination are linear or declare how.
    """
    if isinstance(measure, IntentAware):
        return _intent_aware(measure, gains)
    parts, start = [], 0
    for block in blocks(gains):
        rows = slice(start, start := start + len(block.topic))
        parts.append(_reordered(measure, block, value[rows]))
    return Ties(*map(np.concatenate, zip(*parts, strict=True)))


def _reordered(measure: Single | Combined, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best of some rows."""
    affected = sensitive(measure, gains)
    worst, mean, best = (np.where(affected, np.nan, value) for _ in range(3))
    if affected.any() and computed_here(measure):
        rows = gains.rows(affected)
        low, high = _ends(measure, rows, value[affected])
        expected = _expected(measure, rows)
        worst[affected], best[affected] = low, high
        # Rounding must not put the mean outside; fmax and fmin pass over what is not known.
        mean[affected] = np.where(np.isnan(expected), np.nan, np.fmin(np.fmax(expected, low), high))
        rows.cache.clear()
    return Ties(worst, mean, best)


def sensitive(measure: Single | Combined, gains: Gains) -> Bools:
    """[row]: whether documents with one score but different gains are tied."""
    if isinstance(measure, Single):
        return np.asarray(_moved(measure, gains) > 0)
    return np.asarray(np.any([sensitive(part, gains) for part in measure.parts], axis=0))


def _moved(measure: Single, gains: Gains) -> Floats:
    """[row]: how many gains (of the topic, or of each subtopic) an order of ties changes."""
    tied = np.diff(tie_of(gains), axis=1) == 0
    tied &= np.arange(1, tied.shape[1] + 1) < gains.length[:, None]
    moved = np.zeros(len(tied))
    for gain in _gain(measure, gains):
        # Within a group some neighbours differ as soon as any two documents do.
        moved += (tied & (np.diff(gain, axis=1) != 0)).any(axis=1)
    return moved


def _gain(measure: Single, gains: Gains) -> list[Floats]:
    """[row, rank] of the topic or of each subtopic: what a measure rises or falls with."""
    view = measure.view(gains)
    if measure.declaration.gain == "judged":
        return [view.judged.astype(float)]
    return [part.gain for part in (view.subtopics if measure.declaration.diverse else (view,))]


def _intent_aware(measure: IntentAware, gains: Gains) -> Ties:
    """The means over subtopics; one order may not be best for several of them."""
    base = measure.base
    by_subtopic = [under_ties(base, part, base.value(part)) for part in gains.subtopics]
    worst, expected, best = (
        measure.averaged(gains, ends) for ends in zip(*by_subtopic, strict=True)
    )
    conflicting = (
        np.sum([part_ties.best - part_ties.worst > TOLERANCE for part_ties in by_subtopic], axis=0)
        > 1
    )
    return Ties(np.where(conflicting, np.nan, worst), expected, np.where(conflicting, np.nan, best))


def _ends(measure: Single | Combined, gains: Gains, value: Floats) -> tuple[Floats, Floats]:
    """Worst and best."""
    if isinstance(measure, Single):
        extremes = [_extreme(measure, gains, sign=sign) for sign in (1, -1)]
        return np.min([*extremes, value], axis=0), np.max([*extremes, value], axis=0)
    # A real order, for what can be reached: by the documents' gain in all parts together.
    key = _weighted_gain(measure, gains)
    values = [_value(measure, gains, sign * key) for sign in (1, -1)]
    low, high = np.min([*values, value], axis=0), np.max([*values, value], axis=0)
    if _one_weighting(measure):
        return low, high
    worst, best = _apart(measure, gains, sign=-1), _apart(measure, gains, sign=1)
    exact = (np.abs(best - high) <= TOLERANCE) & (np.abs(worst - low) <= TOLERANCE)
    return np.where(exact, low, np.nan), np.where(exact, high, np.nan)


def _extreme(measure: Single, gains: Gains, *, sign: int) -> Floats:
    """The value with tied documents by gain; NaN where that need not be an extreme."""
    if not measure.declaration.rises:
        return np.full(len(gains.topic), np.nan)
    key = sign * np.sum(_gain(measure, gains), axis=0)
    value = _value(measure, gains, key)
    # What is best for one subtopic need not be for another.
    return np.where(_moved(measure, gains) > 1, np.nan, value)


def _value(measure: Single | Combined, gains: Gains, key: Floats) -> Floats:
    """The value with the tied documents of the largest key first."""
    reordered = tied_order(gains, key)
    value = measure.value(reordered)
    reordered.cache.clear()  # views there hold the rankings in turn, so nothing else would free them
    return value


def _apart(measure: Combined, gains: Gains, *, sign: int) -> Floats:
    """The combination of its parts' best or worst, each in its own order."""
    pairs = zip(measure.parts, measure.falls, strict=True)
    return measure.combine(
        [_extreme(part, gains, sign=-sign if falls else sign) for part, falls in pairs]
    )


def _one_weighting(measure: Combined) -> bool:
    """Whether it is a sum over ranks of one weight per rank times a gain mixed from its parts."""
    first = measure.parts[0]
    same = all(
        replace(part, name="", readings={}, mix=first.mix, combination=None)
        == replace(first, name="", readings={}, combination=None)
        for part in measure.parts
    )
    return measure.combination.linear and same and first.declaration.expected == "linear"


def _weighted_gain(measure: Combined, gains: Gains) -> Floats:
    """[row, rank]: what a document at a given rank adds to the combination, up to a factor.

    Of linear parts exactly so: a part is worth its share in the combination, times what a unit of
    gain everywhere adds to it (nDCG divides by another ideal in each dimension). Otherwise each
    part counts alike, which still finds the order that is best for all, if there is one.
    """
    key = np.zeros(tie_of(gains).shape)
    share = np.where(measure.falls, -1.0, 1.0)
    if measure.combination.linear:
        share = measure.combine(list(np.eye(len(measure.parts))))  # what a unit of each part adds
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
    """The mean over all orders where measure and combination say how, else NaN."""
    unknown = np.full(len(gains.topic), np.nan)
    if isinstance(measure, Combined):
        parts = [_expected(part, gains) for part in measure.parts]
        return measure.combine(parts) if measure.combination.linear else unknown
    method = measure.declaration.expected
    view, tie = measure.view(gains).at(measure.cutoff), tie_of(gains)
    if method == "linear":
        return np.asarray(measure.declaration.function(average_ties(view, tie), **measure.params))
    return method(view, tie, **measure.params) if callable(method) else unknown
