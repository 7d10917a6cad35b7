"""Which runs differ significantly under a measure.

`anova` splits the variance of the scores, `pairwise` tests pairs of runs, corrects for multiple
testing and groups runs that do not differ significantly, `step` reads and writes. The input is
scores of runs by topics; all tests are paired by topic.
"""
