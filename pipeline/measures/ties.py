"""Scores under ties: the worst, expected and best value over all orders of tied documents.

A system that gives two documents one score does not say which comes first; trec_eval decides by
document id. Only rows whose tied documents differ in gain are looked at again.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.measures.measure import Measure, Single
from pipeline.measures.tie_groups import averaged
from pipeline.storage.arrays import Bools, Floats, Ints

SAMPLES = 32  # orders drawn where no exact expectation is declared
SEED = 20160320


@dataclass(frozen=True)
class Ties:
    """What the order of tied documents could have made of each row."""

    worst: Floats
    expected: Floats
    best: Floats


def under_ties(measure: Measure, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best value; `value` stands where ties decide nothing.

    Best and worst put the tied documents in order of their gain, which is exact for every measure
    that rises with gain; for a combination of scores they are the combination of its parts' (one
    order may not reach them all at once). The expectation is exact where the measure declares how,
    else the mean over a fixed number of seeded orders, whose extremes count as well.
    """
    open_ = sensitive(measure, gains)
    if not open_.any():
        return Ties(value, value, value)
    some = gains.rows(open_)

    def filled(found: Floats) -> Floats:
        whole = value.copy()
        whole[open_] = found
        return whole

    ends = [_extreme(measure, some, sign=1), _extreme(measure, some, sign=-1)]
    exact = _exact(measure, some)
    drawn = _drawn(measure, some) if exact is None else np.array([exact])
    return Ties(
        worst=filled(np.min([*ends, *drawn], axis=0)),
        expected=filled(drawn.mean(axis=0)),
        best=filled(np.max([*ends, *drawn], axis=0)),
    )


def sensitive(measure: Measure, gains: Gains) -> Bools:
    """[row]: whether documents with one score but different gains are tied."""
    if isinstance(measure, Single):
        gain = gains.view(measure.wanted, mix=measure.mix).gain
        tied = np.diff(_tie(gains), axis=1) == 0
        same = np.diff(gain, axis=1) == 0
        # Within a group some neighbours differ as soon as any two documents do.
        found = (tied & ~same & (np.arange(1, gain.shape[1]) < gains.length[:, None])).any(axis=1)
        return np.asarray(found)
    rows = [sensitive(part, gains) for part in measure.parts]
    return np.asarray(np.any(rows, axis=0))


def _tie(gains: Gains) -> Ints:
    if gains.tie is None:
        raise ValueError("ties need the systems' scores")
    return gains.tie


def _extreme(measure: Measure, gains: Gains, *, sign: int) -> Floats:
    if not isinstance(measure, Single):
        pairs = zip(measure.parts, measure.falls, strict=True)
        return measure.combine(
            [_extreme(part, gains, sign=-sign if falls else sign) for part, falls in pairs]
        )
    gain = gains.view(measure.wanted, mix=measure.mix).gain
    share = 0.5 * gain / max(float(gain.max(initial=0.0)), 1e-300)
    return measure.value(_sorted(gains, sign * share))


def _sorted(gains: Gains, within: Floats) -> Gains:
    """Tied documents in order of `within` (between -1/2 and 1/2); groups and ends stay in place."""
    beyond = np.arange(within.shape[1]) >= gains.length[:, None]
    key = _tie(gains) + np.where(beyond, 2.0 * within.shape[1], within)
    return gains.reordered(np.argsort(key, axis=1, kind="stable"), tied=True)


def _exact(measure: Measure, gains: Gains) -> Floats | None:
    """The mean over all orders, where the measure declares how."""
    if not isinstance(measure, Single):
        return None
    how = measure.declaration.expected
    view = gains.view(measure.wanted, mix=measure.mix).at(measure.cutoff)
    mean: Floats | None = None
    if how == "linear":
        mean = measure.declaration.function(averaged(view, _tie(gains)), **measure.params)
    elif callable(how):
        mean = how(view, _tie(gains), **measure.params)
    return mean


def _drawn(measure: Measure, gains: Gains) -> Floats:
    """[order, row]: the values under seeded orders."""
    draw = np.random.default_rng(SEED)
    shape = _tie(gains).shape
    orders = (draw.random(shape) - 0.5 for _ in range(SAMPLES))
    return np.array([measure.value(_sorted(gains, order)) for order in orders])
