"""Folders made before anything else: fetched from an address, or generated from a seed."""
