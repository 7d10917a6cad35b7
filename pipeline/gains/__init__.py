"""Rankings joined with labels: the input of all measures."""
