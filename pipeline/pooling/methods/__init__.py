"""The pooling methods there are; a further one is a further module."""
