"""Groups of tied documents, for the exact mean of a measure over all orders of ties.

The `expected=` functions of measures use it (McSherry & Najork, Computing information retrieval
performance measures efficiently in the presence of tied scores, ECIR 2008).
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains, View
from pipeline.storage.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class Groups:
    """The group of tied documents at each rank of each row."""

    first: Ints  # [row, rank]: the rank, from 0, at which its group starts
    size: Ints  # [row, rank]: documents in its group
    number: Ints  # [row * rank]: the group's number

    @property
    def place(self) -> Ints:
        """[row, rank]: the position within its group, from 0."""
        return np.arange(self.first.shape[1]) - self.first

    def total(self, values: Floats) -> Floats:
        """[row, rank]: the sum over its group."""
        sums = np.bincount(self.number, weights=values.ravel())
        return np.asarray(sums[self.number], np.float64).reshape(values.shape)

    def before(self, values: Floats) -> Floats:
        """[row, rank]: the sum over all ranks before its group."""
        running = np.cumsum(values, axis=1) - values
        return np.take_along_axis(running, self.first, axis=1)


def groups(view: View, tie: Ints) -> Groups:
    """The groups of whole rankings, also across the cut; each rank past the end is a group."""
    whole = view.at(None)
    start = np.ones(tie.shape, bool)
    start[:, 1:] = (tie[:, 1:] != tie[:, :-1]) | ~whole.retrieved[:, 1:]
    place = np.arange(tie.shape[1])
    number = np.cumsum(start.ravel()) - 1
    return Groups(
        first=np.maximum.accumulate(np.where(start, place, 0), axis=1),
        size=np.bincount(number)[number].reshape(tie.shape),
        number=number,
    )


def average_ties(view: View, tie: Ints) -> View:
    """The view with each gain replaced by its group's mean, which suffices for linear measures."""
    full = view.at(None)
    ties = groups(full, tie)
    return replace(full, override=ties.total(full.gain) / ties.size).at(view.cut)


def none_before(relevant: Floats, ties: Groups) -> tuple[Floats, Floats]:
    """[row, rank] twice: the probability of no relevant document before, and then of one there."""
    chance = np.minimum(ties.total(relevant) / (ties.size - ties.place), 1.0)
    none = np.cumprod(1 - chance, axis=1)
    before = np.ones_like(none)
    before[:, 1:] = none[:, :-1]
    return before, chance


def mean_onward(stop: Floats, ties: Groups, *, depth: int) -> Floats:
    """[row, rank + 1]: P(continue past a rank), the mean product of 1 - stop over tied orders."""
    onward = np.ones((len(stop), depth + 1))
    onward[:, 1:] = np.cumprod(1 - stop, axis=1)[:, :depth]
    spread = ties.total(np.abs(stop - ties.total(stop) / ties.size))
    uneven = (spread > 1e-15) & (ties.place == 0)
    uneven[:, depth:] = False
    for size in np.unique(ties.size[uneven]).tolist():
        _spread(onward, stop, ties, uneven & (ties.size == size), size)
    return onward


def _spread(onward: Floats, stop: Floats, ties: Groups, starts: Bools, size: int) -> None:
    """Set the mean probability to continue in groups of one size.

    mean(j of t) = (t - j)/t * mean(j of t - 1) + j/t * (1 - g_t) * mean(j - 1 of t - 1).
    """
    rows, first = np.nonzero(starts)
    limit = min(size, onward.shape[1] - 1)
    j = np.arange(1, limit + 1)
    mean = np.zeros((len(rows), limit + 1))
    mean[:, 0] = 1.0
    for t in range(1, size + 1):
        go = 1 - stop[rows, first + t - 1][:, None]
        mean[:, 1:] = np.maximum(t - j, 0) / t * mean[:, 1:] + j / t * go * mean[:, :-1]
    for step in j.tolist():
        inside = first + step < onward.shape[1]
        r, f = rows[inside], first[inside]
        onward[r, f + step] = onward[r, f] * mean[inside, step]


def tie_of(gains: Gains) -> Ints:
    """[row, rank]: the number of the group of equal scores."""
    if gains.tie is None:
        raise ValueError("ties need the systems' scores")
    return gains.tie


def tied_order(gains: Gains, key: Floats) -> Gains:
    """Sort tied documents by descending key; the groups keep their order."""
    largest = np.abs(key).max(axis=1, keepdims=True, initial=0.0)
    within = np.divide(key, largest, out=np.zeros(key.shape), where=largest > 0)
    beyond = np.arange(key.shape[1]) >= gains.length[:, None]
    place = np.where(beyond, np.inf, tie_of(gains) - 0.25 * within)
    return gains.reordered(np.argsort(place, axis=1, kind="stable"), tied=True)
