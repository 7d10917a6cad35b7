"""Baselines: runs of standard retrieval models over the campaign's pages and topics, by PISA."""
