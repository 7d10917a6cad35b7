"""UBIRE: labels of assessors (section 6), and readability (section 5)."""
