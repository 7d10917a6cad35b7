"""The measure engine: declared measures, their combinations, and the grammar that names them.

Every module of this folder is imported, so a new file with a declared measure is all it takes.
"""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

from pipeline.measures.declaration import COMBINATIONS, REGISTRY  # noqa: E402
from pipeline.measures.expression import parse  # noqa: E402
from pipeline.measures.measure import Measure, Scores  # noqa: E402

__all__ = ["COMBINATIONS", "REGISTRY", "Measure", "Scores", "parse"]
