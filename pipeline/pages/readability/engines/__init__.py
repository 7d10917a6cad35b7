"""Readability engines: who counts a text."""
