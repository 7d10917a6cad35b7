"""Measures compared with people: with preferences between runs, and with ratings of runs."""
