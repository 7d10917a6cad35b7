"""Checksums of C sources: setup.py compiles them into a module, which is compared at import.

Only the standard library is imported at the top: setup.py runs this file before anything is
installed. A module's source is `_*.c` in its folder. Its headers are in a folder beside it, named
by the Python module that loads it, so they count as code of the steps that use it.
"""

import sys
import zlib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

NATIVE = "native"  # folder of headers; the one beside this file is shared by all modules


def c_sources(folder: Path, *, headers: str = NATIVE) -> list[Path]:
    """The module's source and its headers; empty if the installation has no C sources."""
    own = sorted([*folder.glob("_*.c"), *(folder / headers).glob("*.h")])
    return [*own, *sorted((Path(__file__).parent / NATIVE).glob("*.h"))] if own else []


def digest(folder: Path, *, headers: str = NATIVE) -> str:
    """One checksum over all C sources, '' where there are none."""
    sources = c_sources(folder, headers=headers)
    total = 0  # CRC-32: enough to detect a change, and fast at every import
    for path in sources:
        content = path.read_bytes()
        total = zlib.crc32(f"{path.name} {len(content)}\n".encode() + content, total)
    return f"{total:08x}" if sources else ""


def refuse_stale(name: str, *, built_from: str, folder: Path, headers: str = NATIVE) -> None:
    """Refuse an extension built from C sources that have changed since."""
    from pipeline.errors import InputError, Problem

    present = digest(folder, headers=headers)
    if present and present != built_from:
        problem = f"the compiled {name} is out of date: its C sources have changed since"
        raise InputError(Problem(folder, problem, "run `make setup` to rebuild it"))


@cache
def compiled(module: str, name: str, *, headers: str = NATIVE) -> ModuleType | None:
    """A compiled module; None if it was not built. Out-of-date modules are refused."""
    try:
        extension = import_module(module)
    except ImportError:
        return None
    folder = Path(str(extension.__file__)).parent
    refuse_stale(name, built_from=extension.SOURCES_DIGEST, folder=folder, headers=headers)
    return extension


@cache
def warn_slow(message: str) -> None:
    """Warn once that a step runs slower because a compiled module is missing."""
    print(f"fathom: {message}; install a C compiler and run `make setup`", file=sys.stderr)
