"""Formats of run files, each declared."""
