"""Measures: declarations, combinations of dimensions, and the grammar of measure names."""

from pipeline.measures.declaration import COMBINATIONS, REGISTRY
from pipeline.measures.expression import parse
from pipeline.measures.measure import Measure, Scores

__all__ = ["COMBINATIONS", "REGISTRY", "Measure", "Scores", "parse"]
