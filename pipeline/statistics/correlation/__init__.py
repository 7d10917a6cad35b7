"""How far two measures agree on the order of the runs, and which runs they swap.

A judgement set or a threshold is a dimension, and a measure names its dimensions, so this is
also how far two sets of labels or two thresholds agree. The way through the package: `statistic`
says what a statistic is, `statistics` has one declared function each, `bootstrap` resamples the
topics, `step` reads and writes. They are our own because importing scipy.stats costs a job over a
second and because a bootstrap needs all measures at once; tests hold them against scipy.
"""
