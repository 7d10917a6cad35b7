"""Groups of tied documents: what measures need to give their exact mean over all orders of ties.

Not a measure itself; `expected=` functions of the measures use it (McSherry & Najork, Computing
information retrieval performance measures efficiently in the presence of tied scores, ECIR 2008).
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import View
from pipeline.storage.arrays import Floats, Ints


@dataclass(frozen=True)
class Groups:
    """For every place of every list, the group of documents that share its score."""

    first: Ints  # [row, rank]: the place, from 0, where its group starts
    size: Ints  # [row, rank]: documents in its group
    number: Ints  # [row * rank]: the group's number

    @property
    def place(self) -> Ints:
        """[row, rank]: its place within the group, from 0."""
        return np.arange(self.first.shape[1]) - self.first

    def total(self, values: Floats) -> Floats:
        """[row, rank]: the sum over its group."""
        sums = np.bincount(self.number, weights=values.ravel())
        return np.asarray(sums[self.number], np.float64).reshape(values.shape)

    def before(self, values: Floats) -> Floats:
        """[row, rank]: the sum over all places before its group."""
        running = np.cumsum(values, axis=1) - values
        return np.take_along_axis(running, self.first, axis=1)


def groups(view: View, tie: Ints) -> Groups:
    """The groups of the whole lists (a group may reach over the cut); ends stand alone."""
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


def averaged(view: View, tie: Ints) -> View:
    """The view with each gain replaced by the mean of its group: enough where gains add up."""
    whole = view.at(None)
    found = groups(whole, tie)
    return replace(whole, given=found.total(whole.gain) / found.size).at(view.cut)


def none_before(relevant: Floats, found: Groups) -> tuple[Floats, Floats]:
    """The chance that no relevant document stands before each place; and of one there, if so."""
    left = found.size - found.place
    chance = np.minimum(found.total(relevant) / left, 1.0)
    missed = np.cumprod(1 - chance, axis=1)
    before = np.ones_like(missed)
    before[:, 1:] = missed[:, :-1]
    return before, chance
