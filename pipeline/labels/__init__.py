"""Judgements of assessors: scales, label files and tables, topics, costs of documents."""
