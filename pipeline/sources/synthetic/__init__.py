"""Synthetic systems: lists whose labels are drawn, in any number of dimensions, also correlated."""
