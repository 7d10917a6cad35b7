"""How far two measures agree on the order of the runs, and which runs they swap.

A judgement set or a threshold is a dimension, and a measure names its dimensions, so this also
compares two sets of labels or two thresholds. `statistic` defines what a statistic is, `statistics`
declares one function per statistic, `bootstrap` resamples the topics, `step` reads and writes.

Fathom has its own implementations for two reasons: importing scipy.stats takes over a second per
job, and a bootstrap needs all measures at once. Tests compare them with scipy.
"""
