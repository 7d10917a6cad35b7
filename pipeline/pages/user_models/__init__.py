"""Simulated understandability: the probability that a user understands a page, by readability.

The threshold of a user model is the most difficult text that a user is comfortable with (FOG 10, 15
and 20 in Zuccon, ECIR 2016).
"""
