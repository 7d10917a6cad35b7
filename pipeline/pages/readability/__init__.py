"""Readability: count a text once (`counting`), then every index (`indices`) by its formula."""
