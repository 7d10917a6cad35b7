"""Own measures and user models, declared in a Python file outside the library.

The file has decorated functions, like the modules of `standard` and `cwl.models`. It is executed,
and its measures are then available by name like those of the library. A name that another such file
declared before is replaced.
"""

import hashlib
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from pipeline.errors import InputError, Problem


def load_all(paths: Iterable[str | Path]) -> None:
    """Execute files that declare measures, in the given order."""
    for path in paths:
        load(Path(path))


def load(path: Path) -> str:
    """Execute a file that declares measures, and return the name of its module."""
    resolved = path.resolve()
    try:
        content = resolved.read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, what, "correct the path or its permissions")) from None
    name = module_name(resolved)
    module = ModuleType(name)
    module.__file__ = str(resolved)
    sys.modules[name] = module
    try:
        exec(compile(content, str(resolved), "exec"), module.__dict__)
    except InputError as error:
        raise InputError(*(problem.at(path) for problem in error.problems)) from None
    except Exception as error:  # any exception of the user's code
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename == str(resolved)]  # fmt: skip
        line = getattr(error, "lineno", None) or (lines[-1] if lines else 1)
        what = f"{type(error).__name__}: {error}"
        raise InputError(Problem(path, what, "correct the file", line=line)) from error
    return name


def module_name(path: Path) -> str:
    """The module name of a file: a digest of its path, so it is the same in every process."""
    return "fathom_own_" + hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
