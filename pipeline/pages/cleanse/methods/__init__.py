"""The ways from a page's markup to its blocks of text, each declared."""
