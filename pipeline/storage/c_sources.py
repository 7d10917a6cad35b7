"""The C sources of a compiled module, by checksum: compiled in by setup.py, and compared in use.

Only the standard library is imported at the top: setup.py runs this file before anything is
installed. A module's source is `_*.c` in its folder, with its headers in a folder beside it, which
the module that loads it names: so they count as code of the steps that use it.
"""

import sys
import zlib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

NATIVE = "native"  # the headers; those beside this file are every module's


def c_sources(folder: Path, *, headers: str = NATIVE) -> list[Path]:
    """The module's source and the headers it includes, where they lie beside it."""
    shared = sorted((Path(__file__).parent / NATIVE).glob("*.h"))
    own = sorted([*folder.glob("_*.c"), *(folder / headers).glob("*.h")])
    return [*own, *shared] if own else []


def digest(folder: Path, *, headers: str = NATIVE) -> str:
    """One checksum over all C sources, '' where there are none."""
    sources = c_sources(folder, headers=headers)
    total = 0  # a checksum does: it tells apart what was built here, and costs a process little
    for path in sources:
        content = path.read_bytes()
        total = zlib.crc32(f"{path.name} {len(content)}\n".encode() + content, total)
    return f"{total:08x}" if sources else ""


def refuse_stale(what: str, *, built_from: str, folder: Path, headers: str = NATIVE) -> None:
    """Refuse an extension that was built from other sources than those that lie beside it."""
    from pipeline.errors import InputError, Problem

    present = digest(folder, headers=headers)
    if present and present != built_from:
        problem = f"the compiled {what} was built from other C sources than those beside it"
        raise InputError(Problem(folder, problem, "run `make setup` to rebuild it"))


@cache
def compiled(module: str, what: str, *, headers: str = NATIVE) -> ModuleType | None:
    """A compiled module, None where it was not built; refused if built from other sources."""
    try:
        made = import_module(module)
    except ImportError:
        return None
    folder = Path(str(made.__file__)).parent
    refuse_stale(what, built_from=made.SOURCES_DIGEST, folder=folder, headers=headers)
    return made


@cache
def warn_slow(what: str) -> None:
    """Warn, once, of what goes on without a compiled module."""
    print(f"fathom: {what}; install a C compiler and run `make setup`", file=sys.stderr)
