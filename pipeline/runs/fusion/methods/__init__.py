"""Fusion methods; to add one, add a module."""
