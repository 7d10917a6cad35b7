"""The C sources of a compiled module, by checksum: compiled in by setup.py, and compared in use.

Only the standard library is imported at the top: setup.py runs this file before anything is
installed. A module's source is `_*.c` in its folder, with its headers in a folder beside it, which
the module that loads it names: so they count as code of the steps that use it.
"""

import zlib
from pathlib import Path

NATIVE = "native"  # the headers


def c_sources(folder: Path, *, headers: str = NATIVE) -> list[Path]:
    """The module's source and the headers it includes, where they lie beside it."""
    return sorted([*folder.glob("_*.c"), *(folder / headers).glob("*.h")])


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
    from pipeline.errors import InputError

    present = digest(folder, headers=headers)
    if present and present != built_from:
        raise InputError(
            f"the compiled {what} in {folder} was built from other C sources than those "
            "beside it; run `make setup` to build it again"
        )
