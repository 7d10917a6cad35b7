"""Generators of sources; to add a generator, add a module here."""
