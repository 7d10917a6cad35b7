"""Fusion: several rankings of a topic combined into one, for a pool or as a system of a campaign.

Fathom has its own implementation, since ranx takes a minute for 68 runs and needs numba; tests
check that both give the same scores. `pipeline.runs.rank` fuses whole systems.
"""
