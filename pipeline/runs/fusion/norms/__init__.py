"""The norms there are; a further one is a further module."""
