"""The cleansing methods."""
