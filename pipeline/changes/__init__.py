"""Two versions of a campaign's results compared: a page and a table of the changes."""
