"""Formats of run files."""
