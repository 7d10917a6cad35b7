"""Diversity by analysis of variance: lists drawn from judged documents, analysed by condition."""
