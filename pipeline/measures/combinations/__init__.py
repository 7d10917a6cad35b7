"""Ways to combine a base measure over dimensions; all modules here are found."""
