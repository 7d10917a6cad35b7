"""Baselines: runs of standard retrieval models over the campaign's pages and topics.

PISA indexes and searches, through `pyterrier-pisa`, which needs no Java. Campaigns and trectools
use similar engines. Only `engine` depends on PISA.
"""
