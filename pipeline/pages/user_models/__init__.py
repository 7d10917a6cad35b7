"""Simulated understandability: from a readability index to the chance that a user understands.

A user model takes a threshold, the hardest text a user is comfortable with (10, 15 and 20 for FOG
in Zuccon, ECIR 2016).
"""
