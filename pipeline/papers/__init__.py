"""Published experiments, rerun: each printed figure beside ours, with a verdict and its reason."""
