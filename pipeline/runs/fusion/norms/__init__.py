"""Normalisations of scores; to add one, add a module."""
