"""Simulated understandability: the probability that a user understands a page."""
