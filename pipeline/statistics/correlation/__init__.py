"""How far two measures agree on the order of the runs, and which runs they swap.

A judgement set or a threshold is a dimension, and a measure names its dimensions, so this is
also how far two sets of labels or two thresholds agree. The way through the package: `statistic`
says what a statistic is, `pairs` and `depths` define them, `bootstrap` resamples the topics,
`step` reads and writes. They are our own because importing scipy.stats costs a job over a second
and because a bootstrap needs all measures at once; tests hold them against scipy.
"""

from pipeline.statistics.correlation.depths import rbo_a, rbo_b, rbo_w, top_overlap, ubire_overlap
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.correlation.pairs import pearson, spearman, tau_a, tau_ap, tau_ap_b, tau_b
from pipeline.statistics.correlation.statistic import Statistic
from pipeline.statistics.correlation.step import STATISTICS, correlate, swapping

__all__ = [
    "STATISTICS",
    "Means",
    "Statistic",
    "correlate",
    "pearson",
    "rbo_a",
    "rbo_b",
    "rbo_w",
    "read_means",
    "spearman",
    "swapping",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "tau_b",
    "top_overlap",
    "ubire_overlap",
]
