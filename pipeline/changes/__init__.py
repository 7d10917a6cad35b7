"""What changed: two states of a campaign's results, side by side, on a page and in a table."""
