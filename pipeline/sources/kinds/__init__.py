"""Kinds of sources, each declared with the config keys it reads."""
