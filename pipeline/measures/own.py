"""Own measures and user models, declared in a file outside the library.

Such a file is plain Python with decorated functions, as `standard` and `cwl.models` have them. It
is executed once, and what it declares is then known by name, as all that is in the library.
"""

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path

from pipeline.errors import InputError

PREFIX = "fathom_own_"  # of the names of such modules
_loaded: dict[Path, str] = {}  # the digest each file had


def load(path: Path) -> str:
    """Execute a file that declares measures; the name of its module.

    A file that has not changed since is not executed again.
    """
    place = path.resolve()
    try:
        content = place.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    name = module_name(place)
    digest = hashlib.sha256(content).hexdigest()
    if _loaded.get(place) == digest:
        return name
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(place))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(place)
    sys.modules[name] = module
    try:
        exec(compile(content, str(place), "exec"), module.__dict__)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except Exception as error:  # whatever a user's code may fail with
        at = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename == str(place)]  # fmt: skip
        line = getattr(error, "lineno", None) or (at[-1] if at else 1)
        raise InputError(
            f"{path}, line {line}: {type(error).__name__}: {error}; correct the file"
        ) from error
    _loaded[place] = digest
    return name


def module_name(path: Path) -> str:
    """The name of the module a file is loaded as: it says which file, wherever it is loaded."""
    return PREFIX + hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
