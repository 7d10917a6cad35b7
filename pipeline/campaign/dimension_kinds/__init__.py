"""Kinds of dimensions, by the source of their labels."""
