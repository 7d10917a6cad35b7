"""Fathom: evaluates search campaigns in which relevance has several dimensions.

    from pipeline import evaluate

What users import comes from the room `api`, and only when it is asked for: every module of the
library is imported by way of this file, so it names no other.
"""

from importlib import import_module
from typing import Any

__all__ = ["Scale", "agree", "check", "compare", "evaluate", "explain", "fuse", "measure", "pool"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.api"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
