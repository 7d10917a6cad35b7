"""Writing files so that a killed job leaves nothing half-written under its final name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it there on success, remove it on error.

    The temporary name keeps the ending, because writers choose their format by it.
    """
    final = Path(path)
    final.parent.mkdir(parents=True, exist_ok=True)
    draft = final.with_name(f".{os.getpid()}.{final.name}")
    try:
        yield draft
        draft.replace(final)
    finally:
        draft.unlink(missing_ok=True)
