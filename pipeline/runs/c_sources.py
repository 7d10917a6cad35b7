"""The C sources of the run reader, by digest: setup.py compiles it in, and it is compared in use.

Only the standard library is imported: setup.py runs this file before anything is installed.
"""

import hashlib
from pathlib import Path


def c_sources(folder: Path) -> list[Path]:
    """The module's source and the headers it includes, where they lie beside it."""
    return sorted([*folder.glob("_reader.c"), *(folder / "native").glob("*.h")])


def digest(folder: Path) -> str:
    """One digest over all C sources, '' where there are none."""
    sources = c_sources(folder)
    total = hashlib.sha256()
    for path in sources:
        content = path.read_bytes()
        total.update(f"{path.name} {len(content)}\n".encode() + content)
    return total.hexdigest() if sources else ""
