"""Pools: the documents to judge, the files for assessors, and statistics of the pool."""
