"""Statistics of agreement, each declared above the function that defines it."""
