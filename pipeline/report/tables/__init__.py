"""Tables for the campaign's overview paper, each as CSV and as LaTeX."""

TABLES = ("means", "contrast", "agreement", "discrimination")
