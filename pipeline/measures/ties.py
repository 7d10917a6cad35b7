"""Scores under ties: the worst, expected and best value over all orders of tied documents.

A system that gives two documents one score does not say which comes first; trec_eval decides by
document id. Only rows whose tied documents differ in gain are looked at again.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.measures.measure import Combined, IntentAware, Measure, Single
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
    that rises with gain; for a combination of scores they are the combination of its parts', and
    over subtopics that of the subtopics' (one order may not reach them all at once). The
    expectation is exact where the measure declares how, else the mean over a fixed number of seeded
    orders, whose extremes count as well.
    """
    if isinstance(measure, IntentAware):
        return _intent_aware(measure, gains)
    open_ = sensitive(measure, gains)
    if not open_.any():
        return Ties(value, value, value)
    some = gains.rows(open_)

    def filled(found: Floats) -> Floats:
        whole = value.copy()
        whole[open_] = found
        return whole

    ends = [value[open_], _extreme(measure, some, sign=1), _extreme(measure, some, sign=-1)]
    exact = _exact(measure, some)
    drawn = _drawn(measure, some) if exact is None else np.array([exact])
    return Ties(
        worst=filled(np.min([*ends, *drawn], axis=0)),
        expected=filled(drawn.mean(axis=0)),
        best=filled(np.max([*ends, *drawn], axis=0)),
    )


def _intent_aware(measure: IntentAware, gains: Gains) -> Ties:
    """The means of what ties make of each subtopic."""
    base = measure.base
    each = [under_ties(base, part, base.value(part)) for part in gains.subtopics]
    ends = (
        measure.averaged(gains, [getattr(one, end) for one in each])
        for end in ("worst", "expected", "best")
    )
    return Ties(*ends)


def sensitive(measure: Single | Combined, gains: Gains) -> Bools:
    """[row]: whether documents with one score but different gains are tied."""
    if isinstance(measure, Single):
        view = measure.view(gains)
        tied = np.diff(_tie(gains), axis=1) == 0
        tied &= np.arange(1, tied.shape[1] + 1) < gains.length[:, None]
        found = np.zeros(len(tied), bool)
        for part in view.subtopics if measure.declaration.diverse else (view,):
            # Within a group some neighbours differ as soon as any two documents do.
            found |= (tied & (np.diff(part.gain, axis=1) != 0)).any(axis=1)
        return found
    rows = [sensitive(part, gains) for part in measure.parts]
    return np.asarray(np.any(rows, axis=0))


def _tie(gains: Gains) -> Ints:
    if gains.tie is None:
        raise ValueError("ties need the systems' scores")
    return gains.tie


def _extreme(measure: Single | Combined, gains: Gains, *, sign: int) -> Floats:
    if not isinstance(measure, Single):
        pairs = zip(measure.parts, measure.falls, strict=True)
        return measure.combine(
            [_extreme(part, gains, sign=-sign if falls else sign) for part, falls in pairs]
        )
    view = measure.view(gains)
    if not measure.declaration.diverse:
        return measure.value(_by_gain(gains, view.gain, sign=sign))
    gain = [part.gain for part in view.subtopics]
    if not callable(measure.declaration.expected):  # no sum over subtopics: one order for all
        return measure.value(_by_gain(gains, np.sum(gain, axis=0), sign=sign))
    own = zip(gains.subtopics, gain, strict=True)
    apart = tuple(_by_gain(part, gain, sign=sign) for part, gain in own)
    if len(apart) == 1 and gains.subtopics[0] is gains:
        return measure.value(apart[0])
    # Each subtopic in the order that is best for it, or worst.
    return measure.value(replace(gains, cache={"subtopics": apart}))


def _by_gain(gains: Gains, gain: Floats, *, sign: int) -> Gains:
    share = 0.5 * gain / max(float(gain.max(initial=0.0)), 1e-300)
    return _sorted(gains, sign * share)


def _sorted(gains: Gains, within: Floats) -> Gains:
    """Tied documents in order of `within` (between -1/2 and 1/2); groups and ends stay in place."""
    beyond = np.arange(within.shape[1]) >= gains.length[:, None]
    key = _tie(gains) + np.where(beyond, 2.0 * within.shape[1], within)
    return gains.reordered(np.argsort(key, axis=1, kind="stable"), tied=True)


def _exact(measure: Single | Combined, gains: Gains) -> Floats | None:
    """The mean over all orders, where the measure declares how."""
    if not isinstance(measure, Single):
        return None
    how = measure.declaration.expected
    view = measure.view(gains).at(measure.cutoff)
    mean: Floats | None = None
    if how == "linear":
        mean = measure.declaration.function(averaged(view, _tie(gains)), **measure.params)
    elif callable(how):
        mean = how(view, _tie(gains), **measure.params)
    return mean


def _drawn(measure: Single | Combined, gains: Gains) -> Floats:
    """[order, row]: the values under seeded orders."""
    draw = np.random.default_rng(SEED)
    shape = _tie(gains).shape
    orders = (draw.random(shape) - 0.5 for _ in range(SAMPLES))
    return np.array([measure.value(_sorted(gains, order)) for order in orders])
