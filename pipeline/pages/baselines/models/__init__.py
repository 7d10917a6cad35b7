"""The retrieval models there are, one a module."""
