"""Ways to combine a base measure over dimensions; all modules of this folder are imported."""
