"""The worked example of a review."""
