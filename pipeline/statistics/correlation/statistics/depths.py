"""Agreement of two rankings of runs, depth by depth: the overlap of the two top sets."""

import numpy as np

from pipeline.statistics.correlation.statistic import SystemRankings, statistic
from pipeline.storage.arrays import Floats

CORSI = "Webber, Moffat & Zobel, TOIS 2010; Corsi & Urbano, SIGIR 2024"


@statistic(
    title="Rank-biased overlap, ties broken at random",
    citation=f"{CORSI}, RBO^a",
    order=7,
    settings=("persistence",),
)
def rbo_a(rankings: SystemRankings, *, persistence: float = 0.9) -> Floats:
    """Rank-biased overlap, extrapolated: the mean over all orders of tied runs."""
    depths = np.arange(1, rankings.length + 1)
    return rankings.overlaps(_weights(len(depths), persistence) / depths)


@statistic(
    title="Rank-biased overlap, corrected for ties",
    citation=f"{CORSI}, RBO^b",
    order=8,
    settings=("persistence",),
)
def rbo_b(rankings: SystemRankings, *, persistence: float = 0.9) -> Floats:
    """Rank-biased overlap, extrapolated, corrected for the information lost in ties.

    Agreement at a depth is the cosine of the two vectors of shares, so a ranking with ties agrees
    fully with itself.
    """
    return rankings.overlaps(_weights(rankings.length, persistence), kind="unit")


@statistic(
    title="Rank-biased overlap, tied runs share a rank",
    citation=f"{CORSI}, RBO^w",
    order=9,
    settings=("persistence",),
)
def rbo_w(rankings: SystemRankings, *, persistence: float = 0.9) -> Floats:
    """Rank-biased overlap, extrapolated, where tied runs share the top rank of their group.

    As in sports rankings, a top set has the whole group from its top rank on. Agreement is Dice's
    coefficient.
    """
    return rankings.overlaps(_weights(rankings.length, persistence), kind="whole")


@statistic(
    title="Overlap of the tops",
    citation="overlap of the two top sets",
    order=10,
    settings=("depth",),
)
def top_overlap(rankings: SystemRankings, *, depth: int = 10) -> Floats:
    """Share of the top `depth` runs that both rankings have: the mean over all orders of ties."""
    depth = min(depth, rankings.runs)
    top = rankings.within(depth)
    return np.asarray(top @ top.swapaxes(-1, -2) / depth)


@statistic(
    title="Overlap as ubire has it",
    citation='ubire 0.1, printed as "tau_AP" in Zuccon, ECIR 2016',
    order=11,
)
def ubire_overlap(rankings: SystemRankings) -> Floats:
    """ubire's TauAP: the mean overlap of the top sets of depth 1 to n-1, times 2, minus 1.

    It is not AP correlation. Ties: the mean over all orders of tied runs.
    """
    depths = np.arange(1, rankings.length)
    return 2 * rankings.overlaps(1 / depths / len(depths)) - 1


def _weights(depths: int, persistence: float) -> Floats:
    """Geometric weights of the agreement at each depth, extrapolated (Webber et al., eq. 30)."""
    weights = (1 - persistence) * persistence ** np.arange(depths)
    weights[-1] += persistence**depths
    return np.asarray(weights)
