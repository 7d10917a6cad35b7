"""Readability indices, each a declared formula over the same counts."""
