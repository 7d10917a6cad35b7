"""Kinds of sources, each declared with its config keys."""
