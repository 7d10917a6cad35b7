"""What researchers call: one function for what the command, and a campaign's steps, do.

from pipeline import evaluate
evaluate("qrels.txt", ["bm25.run", "neural.run"], ["nDCG@10", "RBP(p=0.8)"])
"""

from pipeline.api.comparison import Comparison
from pipeline.api.evaluate import USUAL, compare, evaluate, explain
from pipeline.api.explanation import Explanation
from pipeline.api.result import Evaluation
from pipeline.api.steps import agree, check, fuse, pool
from pipeline.labels.scale import Scale
from pipeline.measures.cwl.declare import user_model
from pipeline.measures.declaration import Param, combination, measure

__all__ = [
    "USUAL",
    "Comparison",
    "Evaluation",
    "Explanation",
    "Param",
    "Scale",
    "agree",
    "check",
    "combination",
    "compare",
    "evaluate",
    "explain",
    "fuse",
    "measure",
    "pool",
    "user_model",
]
