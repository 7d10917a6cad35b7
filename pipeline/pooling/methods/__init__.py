"""Pooling methods; to add a method, add a module here."""
