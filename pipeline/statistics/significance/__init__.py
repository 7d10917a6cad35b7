"""Which runs differ under a measure, by more than the choice of topics explains.

The way through the package: `anova` says where variance comes from, `pairwise` tests pairs of runs,
corrects for their number, and groups runs that do not differ significantly, `step` reads and
writes. Scores of runs by topics go in; topics pair the samples everywhere.
"""
