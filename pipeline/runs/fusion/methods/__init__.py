"""Fusion methods, each declared; a new one is a new module."""
