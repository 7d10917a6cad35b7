"""Scores under ties: the worst, expected and best value over all orders of tied documents.

A system that gives two documents one score does not say which comes first; trec_eval decides by
document id. Only rows whose tied documents differ in gain are looked at again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.blocks import blocks
from pipeline.gains.gains import Gains
from pipeline.measures.declaration import evaluate
from pipeline.measures.measure import Combined, IntentAware, Measure, Single, computed_here
from pipeline.measures.tie_draws import drawn, every_order, few_orders
from pipeline.measures.tie_groups import averaged, tie_of, tied_order
from pipeline.storage.arrays import Bools, Floats, Ints

# What worst and best are: reached by an order, limits that no order need reach, or only the
# extremes of the orders that were tried.
LIMITS = ("exact", "outer", "seen")
EXACT, OUTER, SEEN = range(3)
SAME = 1e-12
NARROW = 1e-6


@dataclass(frozen=True)
class Ties:
    """What the order of tied documents could have made of each row."""

    worst: Floats
    expected: Floats
    best: Floats
    error: Floats  # standard error of `expected`: 0 where it is exact, NaN where it is not known
    limits: Ints  # what worst and best are, as a place in LIMITS


def under_ties(measure: Measure, gains: Gains, value: Floats) -> Ties:
    """Worst, expected and best value; `value` stands where ties decide nothing.

    Best and worst put the tied documents in order of their gain, which is exact for every measure
    that rises with gain. A weighted mean of such measures is exact if they are linear: the order is
    by the documents' weighted gain. Other combinations take the parts' best and worst, each in its
    own order: outer limits, unless one order reaches them. The expectation is exact where measure
    and combination are linear or declare how, or the orders are few; else it is the mean of seeded
    orders, with its error.
    """
    if isinstance(measure, IntentAware):
        return _intent_aware(measure, gains)
    open_ = np.concatenate([sensitive(measure, some) for some in blocks(gains)])
    none = np.zeros(len(value))
    if not open_.any():
        return Ties(value, value, value, none, none.astype(np.int64))
    some = gains.rows(open_)
    found, known = _computed(measure, some, value[open_])
    if not known:
        found = _by_orders(measure, some, found)
    if not computed_here(measure):
        found = replace(found, error=np.full(len(found.error), np.nan))

    def filled(whole: Floats, part: Floats | Ints) -> Floats:
        whole = whole.copy()
        whole[open_] = part
        return whole

    return Ties(
        worst=filled(value, found.worst),
        expected=filled(value, np.clip(found.expected, found.worst, found.best)),
        best=filled(value, found.best),
        error=filled(none, found.error),
        limits=filled(none, found.limits).astype(np.int64),
    )


def _computed(measure: Single | Combined, gains: Gains, value: Floats) -> tuple[Ties, bool]:
    """What needs no draw: the ends, and the expectation if it is known, which is said.

    Some rows at a time; all of them for what another tool computes, to compute equal ones once.
    """
    found, done = [], 0
    for some in blocks(gains) if computed_here(measure) else [gains]:
        rows = slice(done, done := done + len(some.topic))
        worst, best, limits = _ends(measure, some, value[rows])
        mean = _exact(measure, some)
        none = np.zeros(len(worst))
        found.append((worst, none if mean is None else mean, best, none, limits))
    return Ties(*map(np.concatenate, zip(*found, strict=True))), mean is not None


def sensitive(measure: Single | Combined, gains: Gains) -> Bools:
    """[row]: whether documents with one score but different gains are tied."""
    if isinstance(measure, Single):
        view = measure.view(gains)
        tied = np.diff(tie_of(gains), axis=1) == 0
        tied &= np.arange(1, tied.shape[1] + 1) < gains.length[:, None]
        found = np.zeros(len(tied), bool)
        for part in view.subtopics if measure.declaration.diverse else (view,):
            # Within a group some neighbours differ as soon as any two documents do.
            found |= (tied & (np.diff(part.gain, axis=1) != 0)).any(axis=1)
        return found
    rows = [sensitive(part, gains) for part in measure.parts]
    return np.asarray(np.any(rows, axis=0))


def _intent_aware(measure: IntentAware, gains: Gains) -> Ties:
    """The means of what ties make of each subtopic; one order may not be best for all of them."""
    base = measure.base
    each = [under_ties(base, part, base.value(part)) for part in gains.subtopics]
    worst, expected, best, error = (
        measure.averaged(gains, [getattr(one, end) for one in each])
        for end in ("worst", "expected", "best", "error")
    )
    return Ties(worst, expected, best, error, _together(each))


def _together(each: Sequence[Ties]) -> Ints:
    """Limits of a mean: one part that ties can change stands for itself, several are outer."""
    limits = np.array([one.limits for one in each])
    moved = np.array([one.best - one.worst > SAME for one in each]).sum(axis=0)
    return np.asarray(np.maximum(limits.max(axis=0), np.where(moved > 1, OUTER, EXACT)))


# ---- best and worst ---------------------------------------------------------------------------


def _ends(measure: Single | Combined, gains: Gains, value: Floats) -> tuple[Floats, Floats, Ints]:
    """Worst, best and what they are."""
    if isinstance(measure, Single):
        ends = [_extreme(measure, gains, sign=sign) for sign in (1, -1)]
        worst, best = np.minimum(*ends), np.maximum(*ends)
        return np.minimum(worst, value), np.maximum(best, value), _limits(measure, gains)
    # A real order, for what can be reached: by the documents' gain in all parts together.
    key = _weighted_gain(measure, gains)
    reached = [measure.value(tied_order(gains, sign * key)) for sign in (1, -1)]
    low, high = np.min([*reached, value], axis=0), np.max([*reached, value], axis=0)
    parts = [part.declaration for part in measure.parts]
    if not computed_here(measure) or not all(part.rises for part in parts):
        return low, high, np.full(len(value), SEEN)
    if _one_weighting(measure):
        return low, high, np.full(len(value), EXACT)
    worst, best = _apart(measure, gains, sign=-1), _apart(measure, gains, sign=1)
    alike = (np.abs(best - high) <= SAME) & (np.abs(worst - low) <= SAME)
    inner = np.max([_limits(part, gains) for part in measure.parts], axis=0)
    limits = np.where(alike, EXACT, np.maximum(inner, OUTER))
    return np.where(alike, low, worst), np.where(alike, high, best), limits


def _apart(measure: Combined, gains: Gains, *, sign: int) -> Floats:
    """The combination of its parts' best or worst, each in its own order."""
    pairs = zip(measure.parts, measure.falls, strict=True)
    return measure.combine(
        [_extreme(part, gains, sign=-sign if falls else sign) for part, falls in pairs]
    )


def _one_weighting(measure: Combined) -> bool:
    """Whether it is a sum over ranks of one weight a rank times a gain mixed from its parts."""
    first, *others = measure.parts
    same = all(
        (part.declaration, part.cutoff, part.params) == (first.declaration, first.cutoff,
                                                         first.params)
        for part in others
    )  # fmt: skip
    return measure.combination.linear and same and first.declaration.expected == "linear"


def _weighted_gain(measure: Combined, gains: Gains) -> Floats:
    """[row, rank]: what a document at a given rank adds to the combination, up to a factor.

    Of linear parts exactly so: a part is worth its share in the combination, times what a unit of
    gain everywhere adds to it (nDCG divides by another ideal in each dimension). Otherwise each
    part counts alike, which still finds the order that is best for all, if there is one.
    """
    count, rows = len(measure.parts), len(gains.topic)
    key = np.zeros(tie_of(gains).shape)
    share = np.where(measure.falls, -1.0, 1.0)
    if measure.combination.linear:
        share = measure.combine(list(np.eye(count)))  # what a unit of each part adds
    for part, worth in zip(measure.parts, share.tolist(), strict=True):
        view = part.view(gains)
        scale = np.ones(rows)
        if part.declaration.expected == "linear":
            flat = view.retrieved.astype(float)
            one, none = (
                evaluate(part.declaration, replace(view, given=g), part.cutoff, part.params)
                for g in (flat, 0 * flat)
            )
            scale = one - none
        key += worth * scale[:, None] * view.gain
    return key


def _limits(measure: Single, gains: Gains) -> Ints:
    """[row]: what the values are that orders by gain give."""
    moved = np.zeros(len(gains.topic), np.int64)
    if not measure.declaration.rises or not computed_here(measure):
        return moved + SEEN
    if not measure.declaration.diverse:
        return moved + EXACT
    for part in measure.view(gains).subtopics:
        tied = (np.diff(tie_of(gains), axis=1) == 0) & (np.diff(part.gain, axis=1) != 0)
        moved += tied.any(axis=1)
    # What is best for one subtopic need not be for another.
    several = OUTER if callable(measure.declaration.expected) else SEEN
    return np.where(moved > 1, several, EXACT)


def _extreme(measure: Single, gains: Gains, *, sign: int) -> Floats:
    view = measure.view(gains)
    if not measure.declaration.diverse:
        return measure.value(tied_order(gains, sign * view.gain))
    gain = [part.gain for part in view.subtopics]
    if not callable(measure.declaration.expected):  # no sum over subtopics: one order for all
        return measure.value(tied_order(gains, sign * np.sum(gain, axis=0)))
    own = zip(gains.subtopics, gain, strict=True)
    apart = tuple(tied_order(part, sign * gain) for part, gain in own)
    if len(apart) == 1 and gains.subtopics[0] is gains:
        return measure.value(apart[0])
    # Each subtopic in the order that is best for it, or worst.
    return measure.value(replace(gains, cache={"subtopics": apart}))


# ---- expectation ------------------------------------------------------------------------------


def _exact(measure: Single | Combined, gains: Gains) -> Floats | None:
    """The mean over all orders, where the measure declares how."""
    if isinstance(measure, Combined):
        if not measure.combination.linear:
            return None
        parts = [_exact(part, gains) for part in measure.parts]
        each = [part for part in parts if part is not None]
        return measure.combine(each) if len(each) == len(parts) else None
    how = measure.declaration.expected
    view = measure.view(gains).at(measure.cutoff)
    mean: Floats | None = None
    if how == "linear":
        mean = measure.declaration.function(averaged(view, tie_of(gains)), **measure.params)
    elif callable(how):
        mean = how(view, tie_of(gains), **measure.params)
    return mean


def _by_orders(measure: Single | Combined, gains: Gains, ends: Ties) -> Ties:
    """The mean over all orders where they are few, else over seeded ones, with its error."""
    # Ends that hold and nearly meet leave nothing to draw.
    narrow = (ends.limits != SEEN) & (ends.best - ends.worst <= NARROW)
    mean, error = (ends.worst + ends.best) / 2, (ends.best - ends.worst) / 2
    worst, best, limits = ends.worst.copy(), ends.best.copy(), ends.limits.copy()
    few = ~narrow
    few[few] = few_orders(gains.rows(few), measure.dimensions)
    for row in np.flatnonzero(few).tolist():
        values = every_order(measure, gains.rows(np.array([row])))
        mean[row], error[row] = values.mean(), 0.0
        worst[row], best[row], limits[row] = values.min(), values.max(), EXACT
    rest = ~narrow & ~few
    if rest.any():
        some = gains.rows(rest)
        width = (best - worst)[rest]
        found = drawn(measure, some, width=width, controls=_controls(measure, some))
        mean[rest], error[rest] = found.mean, found.error
        tried = limits[rest] == SEEN
        worst[rest] = np.where(tried, np.minimum(worst[rest], found.least), worst[rest])
        best[rest] = np.where(tried, np.maximum(best[rest], found.most), best[rest])
    return Ties(worst, mean, best, error, limits)


def _controls(measure: Single | Combined, gains: Gains) -> list[tuple[Single, Floats]]:
    """The parts whose expectation is known: what is drawn of them says how far a sample is off."""
    if isinstance(measure, Single) or not computed_here(measure):
        return []
    means = [(part, _exact(part, gains)) for part in measure.parts]
    return [(part, mean) for part, mean in means if mean is not None]
