"""The retrieval models."""
