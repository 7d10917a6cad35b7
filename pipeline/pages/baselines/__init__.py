"""Baselines: the campaign's own pages searched with its own topics, one run per model.

PISA indexes and searches (through `pyterrier-pisa`, which needs no Java), because campaigns and
trectools make their baselines with engines like it, and a model of our own would be compared with
nothing. `engine` is all that knows PISA.
"""
