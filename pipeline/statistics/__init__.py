"""Means over topics, correlations between measures, significance tests between runs."""
