"""Baselines: the campaign's own pages searched with its own topics, one run a model.

PISA indexes and searches (through `pyterrier-pisa`, which needs no Java), because campaigns and
trectools make their baselines with engines like it, and a model of our own would be compared with
nothing. The way through the package: `settings` says which systems are wanted, `model` what a
retrieval model is, `models` holds those there are, `engine` is all that knows PISA, `index` makes
the index from the cleansed text, `step` the runs.
"""
