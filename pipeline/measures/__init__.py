"""The measure engine: declared measures, their combinations, and the grammar that names them."""

from pipeline.measures.declaration import COMBINATIONS, REGISTRY
from pipeline.measures.expression import parse
from pipeline.measures.measure import Measure, Scores

__all__ = ["COMBINATIONS", "REGISTRY", "Measure", "Scores", "parse"]
