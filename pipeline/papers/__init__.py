"""Published experiments, rerun: each printed figure with the recomputed one and a verdict."""
