"""Which runs differ under a measure, by more than the choice of topics explains.

The way through the package: `anova` says where variance comes from, `pairwise` tests every two
runs, `adjust` corrects for their number, `tukey` tests all at once and groups what it cannot tell
apart, `intervals` bounds the means, `step` reads and writes. Scores of runs by topics go in;
topics pair the samples everywhere.
"""

from pipeline.statistics.significance.adjust import benjamini_hochberg, holm
from pipeline.statistics.significance.anova import Source, anova
from pipeline.statistics.significance.intervals import by_bootstrap, by_t
from pipeline.statistics.significance.pairwise import (
    Differences,
    differences,
    paired_t,
    permutation,
)
from pipeline.statistics.significance.step import TESTS, compare, enough, examine, summarise
from pipeline.statistics.significance.tukey import critical, groups, ranges, tukey

__all__ = [
    "TESTS",
    "Differences",
    "Source",
    "anova",
    "benjamini_hochberg",
    "by_bootstrap",
    "by_t",
    "compare",
    "critical",
    "differences",
    "enough",
    "examine",
    "groups",
    "holm",
    "paired_t",
    "permutation",
    "ranges",
    "summarise",
    "tukey",
]
