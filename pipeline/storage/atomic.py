"""Writing files and folders so that a killed job leaves nothing half-written under a final name.

What is being written has a name of its own, a draft, in the same folder. The draft of a job that
was killed stays behind; the next run removes it (`clear`).

On a cluster, where that folder is far away and shared, drafts are written to a folder of the node's
own that `SCRATCH` names, and go to the shared one in one piece.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_DRAFT = ".draft-"
SCRATCH = "FATHOM_SCRATCH"  # the variable; its folder is that of the node which writes


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it there on success, remove it on error.

    The temporary name keeps the ending, because writers choose their format by it.
    """
    final = Path(path)
    draft = _beside(final)
    try:
        with _drafting(draft) as written:
            yield written
            if written != draft:
                shutil.copyfile(written, draft)
        draft.replace(final)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield a new folder beside `path`; on success it takes that name, and what was there goes."""
    final = Path(path)
    draft, old = _beside(final), _beside(final, "old-")
    for left in (draft, old):
        shutil.rmtree(left, ignore_errors=True)
    try:
        with _drafting(draft) as written:
            written.mkdir()
            yield written
            if written != draft:
                shutil.copytree(written, draft)
        if final.exists():
            final.rename(old)
        draft.rename(final)
    finally:
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _drafting(draft: Path) -> Iterator[Path]:
    """Where a draft is written: in the node's own folder, if there is one, else where it is."""
    own = Path(os.path.expandvars(os.environ.get(SCRATCH, "")) or "/nowhere")
    if not own.is_dir():
        yield draft
        return
    with tempfile.TemporaryDirectory(prefix="fathom-", dir=own, ignore_cleanup_errors=True) as each:
        yield Path(each, draft.name)


def clear(folder: Path) -> list[Path]:
    """Remove the drafts below a folder that killed jobs left behind, and say which."""
    found = sorted(folder.rglob(f"{_DRAFT}*"), reverse=True)
    for draft in found:
        if draft.is_dir() and not draft.is_symlink():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)
    return found


def _beside(final: Path, kind: str = "") -> Path:
    final.parent.mkdir(parents=True, exist_ok=True)
    return final.with_name(f"{_DRAFT}{kind}{os.getpid()}-{final.name}")
