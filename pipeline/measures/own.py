"""Own measures and user models, declared in a file outside the library.

Such a file is plain Python with decorated functions, as `standard` and `cwl.models` have them. It
is executed, and what it declares is then known by name, as all that is in the library; a name that
another such file has declared before now means this one's.
"""

import hashlib
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from pipeline.errors import InputError, Problem

PREFIX = "fathom_own_"  # of the names of such modules


def load_all(paths: Iterable[str | Path]) -> None:
    """Execute files that declare measures, in their order."""
    for path in paths:
        load(Path(path))


def load(path: Path) -> str:
    """Execute a file that declares measures; the name of its module."""
    resolved = path.resolve()
    try:
        content = resolved.read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, what, "check the path")) from None
    name = module_name(resolved)
    module = ModuleType(name)
    module.__file__ = str(resolved)
    sys.modules[name] = module
    try:
        exec(compile(content, str(resolved), "exec"), module.__dict__)
    except InputError as error:
        raise InputError(*(problem.at(path) for problem in error.problems)) from None
    except Exception as error:  # whatever a user's code may fail with
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename == str(resolved)]  # fmt: skip
        line = getattr(error, "lineno", None) or (lines[-1] if lines else 1)
        what = f"{type(error).__name__}: {error}"
        raise InputError(Problem(path, what, "correct the file", line=line)) from error
    return name


def module_name(path: Path) -> str:
    """The name of the module a file is loaded as: it says which file, wherever it is loaded."""
    return PREFIX + hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
