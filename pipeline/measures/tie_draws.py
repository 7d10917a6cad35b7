"""The mean over orders of tied documents: all of them if they are few, else seeded ones.

What is known exactly of the parts of a combination corrects the sample (control variates: Owen,
Monte Carlo theory, methods and examples, 2013, chapter 8): where the parts came out too high by
chance, so did H, and it is lowered accordingly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.measures.measure import Combined, Single, computed_here
from pipeline.measures.tie_groups import tie_of, tied_order
from pipeline.storage.arrays import Bools, Floats, Ints

FEW = 120  # orders that are all tried
ROUND = 32  # orders drawn at a time,
MOST = 1024  # until so many,
ENOUGH = 0.0005  # or until the standard error is no more than this
SEED = 20160320
CELLS = 400000  # of the orders that are evaluated at once

Control = tuple[Single, Floats]  # a part, and its expectation in each row


@dataclass(frozen=True)
class Drawn:
    """Of every row: the mean over all orders as estimated, its standard error, and the extremes."""

    mean: Floats
    error: Floats
    least: Floats
    most: Floats


def few_orders(gains: Gains, dimensions: Sequence[str]) -> Bools:
    """[row]: whether the orders of documents that differ can all be tried."""
    return np.array([_count(gains, row, dimensions) <= FEW for row in range(len(gains.topic))])


def _count(gains: Gains, row: int, dimensions: Sequence[str]) -> int:
    return math.prod(math.factorial(len(group)) for group in _mixed(gains, row, dimensions))


def _mixed(gains: Gains, row: int, dimensions: Sequence[str]) -> list[Ints]:
    """The groups of tied documents of a row that are not all alike."""
    length = int(gains.length[row])
    tie = tie_of(gains)[row, :length]
    codes = np.array([gains.dimensions[name].codes[row, :length] for name in dimensions])
    # Within a group some neighbours differ as soon as any two documents do.
    other = (tie[1:] == tie[:-1]) & (codes[:, 1:] != codes[:, :-1]).any(axis=0)
    return [np.flatnonzero(tie == number) for number in np.unique(tie[1:][other])]


def every_order(measure: Single | Combined, gains: Gains) -> Floats:
    """[order]: the values of the one row under every order of its tied documents."""
    groups = _mixed(gains, 0, measure.dimensions)
    order = np.arange(tie_of(gains).shape[1])
    orders = []
    for chosen in product(*(permutations(group.tolist()) for group in groups)):
        for group, places in zip(groups, chosen, strict=True):
            order[group] = places
        orders.append(order.copy())
    many = gains.rows(np.zeros(len(orders), np.int64))
    return measure.value(many.reordered(np.array(orders), tied=True))


def drawn(
    measure: Single | Combined,
    gains: Gains,
    *,
    width: Floats,
    controls: Sequence[Control],
) -> Drawn:
    """Draw orders until every row is sure enough; those that are drop out.

    `width` is how far apart the best and the worst value of a row are.
    """
    draw = np.random.default_rng(SEED)
    rows = len(gains.topic)
    found = Drawn(*(np.zeros(rows) for _ in range(4)))
    left = np.arange(rows)
    values = np.empty((0, rows))
    parts = np.empty((0, len(controls), rows))
    # What another tool computes is drawn once: it takes long, and the error is not known anyway.
    limit = MOST if computed_here(measure) else ROUND
    while len(left):
        more, seen = _round(measure, gains.rows(left), [part for part, _ in controls], draw)
        values, parts = np.concatenate([values, more]), np.concatenate([parts, seen])
        expected = np.array([mean[left] for _, mean in controls]).reshape(len(controls), len(left))
        mean, error = _estimate(values, parts, expected, width=width[left])
        found.mean[left], found.error[left] = mean, error
        found.least[left], found.most[left] = values.min(axis=0), values.max(axis=0)
        going = error > ENOUGH if len(values) < limit else np.zeros(len(left), bool)
        left, values, parts = left[going], values[:, going], parts[:, :, going]
    return found


def _round(
    measure: Single | Combined, gains: Gains, parts: Sequence[Single], draw: "np.random.Generator"
) -> tuple[Floats, Floats]:
    """[order, row] values and [order, part, row] values of the parts, under the same orders."""
    rows, depth = tie_of(gains).shape
    at_once = min(ROUND, max(1, CELLS // max(1, rows * depth)))
    values, seen = [], []
    for start in range(0, ROUND, at_once):
        orders = min(at_once, ROUND - start)
        many = gains.rows(np.tile(np.arange(rows), orders)) if orders > 1 else gains
        other = tied_order(many, draw.random((orders * rows, depth)))
        values.append(measure.value(other).reshape(orders, rows))
        each = [part.value(other).reshape(orders, 1, rows) for part in parts]
        seen.append(np.concatenate([np.empty((orders, 0, rows)), *each], axis=1))
        other.cache.clear()  # views there hold the lists in turn, so nothing else would free them
    return np.concatenate(values), np.concatenate(seen)


def _estimate(
    values: Floats, parts: Floats, expected: Floats, *, width: Floats
) -> tuple[Floats, Floats]:
    """The mean and its standard error: what a regression on the parts says at their expectation.

    An order that was not drawn is rare, not absent: one in n may still be anywhere between the
    ends, so the error is not below that.
    """
    orders, count = len(values), parts.shape[1]
    mean, centre = values.mean(axis=0), parts.mean(axis=0)
    off = values - mean  # [order, row]
    by = parts - centre  # [order, part, row]
    inverse = np.linalg.pinv(np.einsum("opr,oqr->rpq", by, by), rcond=1e-10, hermitian=True)
    slope = np.einsum("rpq,oqr,or->rp", inverse, by, off)
    missed = (expected - centre).T  # [row, part]
    rest = off - np.einsum("rp,opr->or", slope, by)
    variance = (rest**2).sum(axis=0) / (orders - 1 - count)
    leverage = np.einsum("rp,rpq,rq->r", missed, inverse, missed)
    error = np.sqrt(variance * (1 / orders + leverage))
    return mean + (slope * missed).sum(axis=1), np.maximum(error, width / orders)
