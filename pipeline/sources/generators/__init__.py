"""Generators of sources, each declared."""
