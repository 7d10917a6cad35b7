"""Runs: run files, read and ranked once, and systems fused from them."""
