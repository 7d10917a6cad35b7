"""Means over topics, agreement between measures, tests between runs."""
