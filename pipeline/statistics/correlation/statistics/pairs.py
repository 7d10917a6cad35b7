"""Agreement of two rankings over pairs of runs: Kendall's tau, AP correlation, Spearman's rho.

Each takes the scores of the same runs under a reference and under an estimate. A swap of the two
best runs lowers AP correlation more than a swap of the two worst; Kendall's tau treats both alike:

>>> reference = [4, 3, 2, 1]
>>> round(tau_b(reference, [3, 4, 2, 1]), 3), round(tau_b(reference, [4, 3, 1, 2]), 3)
(0.667, 0.667)
>>> round(tau_ap(reference, [3, 4, 2, 1]), 3), round(tau_ap(reference, [4, 3, 1, 2]), 3)
(0.333, 0.778)
"""

import numpy as np

from pipeline.statistics.correlation.statistic import SystemRankings, statistic
from pipeline.storage.arrays import Floats


@statistic(
    title="Kendall's tau-a",
    citation="Kendall, A new measure of rank correlation, Biometrika 30, 1938",
    order=3,
)
def tau_a(rankings: SystemRankings) -> Floats:
    """Concordant minus discordant pairs, divided by all pairs; tied pairs count as neither."""
    return np.asarray(rankings.agreeing / (rankings.runs * (rankings.runs - 1)))


@statistic(
    title="Kendall's tau-b",
    citation="Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945",
    order=1,
)
def tau_b(rankings: SystemRankings) -> Floats:
    """Share of concordant minus share of discordant pairs of runs, corrected for ties.

    Undefined where a measure ties all runs.
    """
    return _cosine(rankings.agreeing)


@statistic(
    title="AP correlation",
    citation="Yilmaz, Aslam & Robertson, SIGIR 2008, eq. 2; ties: Urbano & Marrero, ICTIR 2017",
    one_way=True,
    order=2,
)
def tau_ap(rankings: SystemRankings) -> Floats:
    """AP correlation: differences near the top of the estimated ranking count more.

    For each run of the estimate but the first, take the share of the runs above it that the
    reference also ranks above it; the mean of these shares is scaled to [-1, 1]. Not symmetric.

    Ties: the mean over all orders of tied runs. For ties in the estimate this is tau_AP,a of Urbano
    & Marrero, which assumes a reference without ties; ties there are averaged in the same way. A
    pair that is tied on either side adds nothing, and an estimate that ties all runs scores 0.
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
def tau_ap_b(rankings: SystemRankings) -> Floats:
    """AP correlation of two rankings with ties: the mean of both directions, so it is symmetric.

    Tied runs count as equal: a run is compared with the runs strictly above its tie group, and a
    pair that the other ranking ties is not concordant. Undefined where a measure ties all runs.
    """
    first = rankings.first
    weight = 1 / (np.maximum(first, 1) * (first > 0).sum(axis=-1, keepdims=True))
    one_way = 2 * rankings.alike(weight) - 1
    return (one_way + one_way.swapaxes(-1, -2)) / 2


@statistic(title="Spearman's rho", citation="Spearman, 1904", order=5)
def spearman(rankings: SystemRankings) -> Floats:
    """Pearson's correlation of the ranks; tied runs share their middle rank."""
    ranks = 2.0 * rankings.first + rankings.size - rankings.runs  # twice the middle rank, centred
    return _cosine(ranks @ ranks.swapaxes(-1, -2))


@statistic(title="Pearson's r", citation="Pearson, 1896", order=6)
def pearson(rankings: SystemRankings) -> Floats:
    """Linear correlation of the scores themselves.

    Undefined where a measure gives all runs the same score.
    """
    scores = rankings.scores
    constant = np.ptp(scores, axis=-1, keepdims=True) == 0  # else rounding errors would correlate
    centred = np.where(constant, 0.0, scores - scores.mean(axis=-1, keepdims=True))
    return _cosine(centred @ centred.swapaxes(-1, -2))


def _cosine(products: Floats) -> Floats:
    """Inner products scaled by both lengths; NaN where a length is zero."""
    length = np.sqrt(np.diagonal(products, axis1=-2, axis2=-1))
    return np.asarray(products / (length[..., :, None] * length[..., None, :]))
