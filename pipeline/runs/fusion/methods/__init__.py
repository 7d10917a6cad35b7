"""The fusion methods there are; a further one is a further module."""
