"""Fathom: evaluates search campaigns in which relevance has several dimensions.

    from pipeline import evaluate

The public functions are in the package `api` and are imported on first use. Each import of a module
of the library executes this file, so it imports no other module.
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
