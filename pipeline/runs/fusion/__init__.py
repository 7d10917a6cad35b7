"""Fusion: many rankings of a topic made into one, to pool from or to join the campaign as a system.

Our own arithmetic rather than ranx's: its tables of strings take a minute for 68 runs, and bring
numba along; the tests hold the two equal. `pipeline.runs.rank` makes whole systems.
"""
