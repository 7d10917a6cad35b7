"""Expected reciprocal rank."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.measures.tie_groups import Groups, groups
from pipeline.storage.arrays import Bools, Floats, Ints


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties, from the mean product of (1 - g) over all choices of j tied documents.

    What stops a user at a place is what carried them there less what carries them beyond it, so
    the mean over all orders needs these means alone.
    """
    stop = view.at(None).gain
    found = groups(view, tie)
    onward = np.ones((len(stop), view.depth + 1))
    onward[:, 1:] = np.cumprod(1 - stop, axis=1)[:, : view.depth]
    uneven = (found.total(stop) != stop * found.size) & (found.place == 0)
    uneven[:, view.depth :] = False
    for size in np.unique(found.size[uneven]).tolist():
        _spread(onward, stop, found, uneven & (found.size == size), size)
    weights = 1 / np.arange(1, view.depth + 1)
    values: Floats = (onward[:, :-1] - onward[:, 1:]) @ weights
    return values


def _spread(onward: Floats, stop: Floats, found: Groups, starts: Bools, size: int) -> None:
    """Put the mean chance to go on behind each place into groups of one size.

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


def parts(view: View) -> Floats:
    """The chance to be satisfied at each rank, over the rank."""
    onward = np.ones((len(view.length), view.depth + 1))
    np.cumprod(1 - view.gain, axis=1, out=onward[:, 1:])
    return np.asarray((onward[:, :-1] - onward[:, 1:]) / np.arange(1, view.depth + 1))


@measure(
    "ERR",
    title="Expected reciprocal rank",
    formula="sum_k g(k)/k * prod_(i<k) (1 - g(i)), g = (2^steps - 1) / 2^highest",
    citation="Chapelle, Metzler, Zhang & Grinspan, CIKM 2009; gdeval.pl takes highest = 4 always",
    cutoff="optional",
    gain="stop",
    expected=expected,
    contributions=parts,
)
def err(view: View) -> Floats:
    """1/rank of the document that satisfies a user who reads down the list, in expectation."""
    onward = np.ones((len(view.length), view.depth + 1))
    np.cumprod(1 - view.gain, axis=1, out=onward[:, 1:])
    values: Floats = (onward[:, :-1] - onward[:, 1:]) @ (1 / np.arange(1, view.depth + 1))
    return values
