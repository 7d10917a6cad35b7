"""Norms of scores, each declared; a new one is a new module."""
