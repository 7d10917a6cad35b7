"""C/W/L: measures as users who go down a ranking, declared by when they go on (see config/CWL.md).

Every module of this folder is imported, so a new file with a declared user model is all it takes.
"""

import importlib
import pkgutil

from pipeline.measures.cwl.model import FIGURES, MODELS, UserModel, user_model
from pipeline.measures.cwl.seen import Seen

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["FIGURES", "MODELS", "Seen", "UserModel", "user_model"]
