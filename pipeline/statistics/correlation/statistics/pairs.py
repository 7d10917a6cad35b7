"""Agreement of two orders, pair by pair of runs: Kendall's tau, AP correlation, Spearman's rho.

Each takes the scores of the same runs under a reference and under an estimate. A swap of the two
best runs costs AP correlation more than one of the two worst, and Kendall's tau the same:

>>> reference = [4, 3, 2, 1]
>>> round(tau_b(reference, [3, 4, 2, 1]), 3), round(tau_b(reference, [4, 3, 1, 2]), 3)
(0.667, 0.667)
>>> round(tau_ap(reference, [3, 4, 2, 1]), 3), round(tau_ap(reference, [4, 3, 1, 2]), 3)
(0.333, 0.778)
"""

import numpy as np

from pipeline.statistics.correlation.statistic import Rankings, statistic
from pipeline.storage.arrays import Floats


@statistic(
    title="Kendall's tau-a",
    citation="Kendall, A new measure of rank correlation, Biometrika 30, 1938",
    order=3,
)
def tau_a(rankings: Rankings) -> Floats:
    """Concordant minus discordant pairs, over all pairs; a tied pair adds nothing."""
    possible = rankings.runs * (rankings.runs - 1)
    return np.asarray(rankings.agreeing / possible)


@statistic(
    title="Kendall's tau-b",
    citation="Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945",
    order=1,
)
def tau_b(rankings: Rankings) -> Floats:
    """Share of pairs of runs in the same order less the share in opposite order, with ties.

    Concordant minus discordant pairs, corrected for ties; undefined where a measure ties all runs.
    """
    return _cosine(rankings.agreeing)


@statistic(
    title="AP correlation",
    citation="Yilmaz, Aslam & Robertson, SIGIR 2008, eq. 2; ties: Urbano & Marrero, ICTIR 2017",
    one_way=True,
    order=2,
)
def tau_ap(rankings: Rankings) -> Floats:
    """AP correlation: mistakes near the top of the estimated ranking cost more.

    Walk down the estimate and average, over all runs but the first, the share of the runs above
    that the reference also puts above, scaled to [-1, 1]. Not symmetric.

    Ties: the mean over all ways to break them. For ties in the estimate that is tau_AP,a of Urbano
    & Marrero, which takes the reference as free of ties; ties there are averaged in the same
    way. So a pair tied on either side adds nothing, and an estimate that ties all runs scores 0.
    """
    n, first, size = rankings.runs, rankings.first, rankings.size
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, n))))
    last = harmonic[first + size - 1] - harmonic[np.maximum(first - 1, 0)]
    weight = np.where(first > 0, last / size, 0.0)  # mean of 1 / (rank - 1) over the group's ranks
    return np.asarray(rankings.ordered(weight) / (n - 1))


@statistic(
    title="AP correlation with ties on both sides",
    citation="Urbano & Marrero, ICTIR 2017, tau_AP,b",
    order=4,
)
def tau_ap_b(rankings: Rankings) -> Floats:
    """AP correlation of two rankings that may both tie, the mean of both directions; symmetric.

    A tie is taken as meant: a run is compared with the runs strictly above its tie group, and a
    pair the other ranking ties is not concordant. Undefined where a measure ties all runs.
    """
    first = rankings.first
    below_top = (first > 0).sum(axis=-1, keepdims=True)
    weight = 1 / (np.maximum(first, 1) * below_top)
    one_way = 2 * rankings.alike(weight) - 1
    return (one_way + one_way.swapaxes(-1, -2)) / 2


@statistic(title="Spearman's rho", citation="Spearman, 1904", order=5)
def spearman(rankings: Rankings) -> Floats:
    """Pearson's correlation of the ranks, tied runs sharing their middle rank."""
    ranks = 2.0 * rankings.first + rankings.size - rankings.runs  # twice the middle rank, centred
    return _cosine(ranks @ ranks.swapaxes(-1, -2))


@statistic(title="Pearson's r", citation="Pearson, 1896", order=6)
def pearson(rankings: Rankings) -> Floats:
    """Linear correlation of the scores themselves.

    Undefined where a measure ties all runs.
    """
    scores = rankings.scores
    level = np.ptp(scores, axis=-1, keepdims=True) == 0  # where rounding would leave dust
    centred = np.where(level, 0.0, scores - scores.mean(axis=-1, keepdims=True))
    return _cosine(centred @ centred.swapaxes(-1, -2))


def _cosine(products: Floats) -> Floats:
    """Inner products scaled by both lengths; NaN where a length is zero."""
    length = np.sqrt(np.diagonal(products, axis1=-2, axis2=-1))
    return np.asarray(products / (length[..., :, None] * length[..., None, :]))
