"""The public functions: what the command and the steps of a campaign do, one function each.

    from pipeline import evaluate
    evaluate("qrels.txt", ["bm25.run", "neural.run"], ["nDCG@10", "RBP(p=0.8)"])

Each name is imported from its module on first use (see `__init__.pyi`), so that `fathom trec_eval`
starts without modules that only notebooks need.
"""

from importlib import import_module
from typing import Any

_PLACES = {
    "USUAL": "pipeline.api.evaluating",
    "Comparison": "pipeline.api.comparison",
    "Evaluation": "pipeline.api.result",
    "Explanation": "pipeline.api.explanation",
    "Param": "pipeline.measures.declaration",
    "Scale": "pipeline.config.scale",
    "agree": "pipeline.api.steps",
    "check": "pipeline.api.steps",
    "combination": "pipeline.measures.declaration",
    "compare": "pipeline.api.evaluating",
    "evaluate": "pipeline.api.evaluating",
    "explain": "pipeline.api.evaluating",
    "fuse": "pipeline.api.steps",
    "measure": "pipeline.measures.declaration",
    "pool": "pipeline.api.steps",
    "user_model": "pipeline.measures.cwl.declare",
}
__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_PLACES]
